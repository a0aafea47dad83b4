/* A tracer of the static probes of the process's own copy of Belay: it finds them by their notes,
   counts itself among those who watch a probe, and puts a breakpoint over the probe's nop. x86-64
   and 64-bit ARM. */
#ifndef TRACER_H
#define TRACER_H

#include "cases.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

typedef struct site {
  const char *name, *arguments; /* as the note has them: "8@%rdi -4@%esi" */
  char *place;
  uint16_t *watchers;
  char nop[4];
  uint64_t found[5]; /* the arguments of the last hit */
} site;
static site sites[16];
static int site_count;

#if defined __x86_64__
static const char breakpoint[] = {(char)0xcc}, the_nop[] = {(char)0x90};
#else
static const char breakpoint[] = {0, 0, 0x20, (char)0xd4}, the_nop[] = {0x1f, 0x20, 0x03, (char)0xd5};
#endif

/* Writes to the process's memory, read-only pages included, as another process does. */
static void poke(void *place, const void *bytes, size_t size) {
  int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  CHECK_INT(pwrite(memory, bytes, size, (off_t)(uintptr_t)place), (long long)size);
  close(memory);
  __builtin___clear_cache((char *)place, (char *)place + size);
}

/* ---- the notes ---- */
static void read_notes(const char *note, const char *end, char *base) {
  while (note < end) {
    const Elf64_Nhdr *head = (const void *)note;
    const char *text = note + sizeof *head + (head->n_namesz + 3) / 4 * 4;
    uint64_t addresses[3]; /* of the site, of the base, of the count of watchers */
    memcpy(addresses, text, sizeof addresses);
    const char *provider = text + sizeof addresses, *name = provider + strlen(provider) + 1;
    note = text + (head->n_descsz + 3) / 4 * 4;
    if (strcmp(provider, "belay") != 0) continue;
    site *it = &sites[site_count++];
    it->name = name;
    it->arguments = name + strlen(name) + 1;
    it->place = base + addresses[0];
    it->watchers = (uint16_t *)(void *)(base + addresses[2]);
    memcpy(it->nop, it->place, sizeof it->nop);
  }
}

static void find_sites(void) {
  Dl_info info;
  if (site_count > 0 || !dladdr((void *)belay_subject_next, &info)) return;
  int file = open(info.dli_fname, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0) file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  fstat(file, &status);
  const char *image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  const Elf64_Ehdr *head = (const void *)image;
  const Elf64_Shdr *sections = (const void *)(image + head->e_shoff);
  const char *names = image + sections[head->e_shstrndx].sh_offset;
  char *base = head->e_type == ET_DYN ? info.dli_fbase : NULL;
  for (int i = 0; i < head->e_shnum; i++) {
    const char *notes = image + sections[i].sh_offset;
    if (strcmp(names + sections[i].sh_name, ".note.stapsdt") == 0)
      read_notes(notes, notes + sections[i].sh_size, base);
  }
}

static site *site_of(const char *name) {
  find_sites();
  for (int i = 0; i < site_count; i++)
    if (strcmp(sites[i].name, name) == 0) return &sites[i];
  check_failed(__FILE__, __LINE__, "there is no probe %s", name);
  return NULL;
}

/* ---- arguments: "SIZE@REGISTER", or "SIZE@OFFSET(REGISTER)" ---- */
static uint64_t register_of(const mcontext_t *machine, const char *name) {
#if defined __x86_64__
  static const struct {
    const char *names[2];
    int index;
  } all[] = {{{"rax", "eax"}, REG_RAX}, {{"rbx", "ebx"}, REG_RBX}, {{"rcx", "ecx"}, REG_RCX},
             {{"rdx", "edx"}, REG_RDX}, {{"rsi", "esi"}, REG_RSI}, {{"rdi", "edi"}, REG_RDI},
             {{"rbp", "ebp"}, REG_RBP}, {{"rsp", "esp"}, REG_RSP}, {{"r8", "r8d"}, REG_R8},
             {{"r9", "r9d"}, REG_R9},   {{"r12", "r12d"}, REG_R12}, {{"r13", "r13d"}, REG_R13},
             {{"r14", "r14d"}, REG_R14}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (int j = 0; j < 2; j++) {
      size_t length = strlen(all[i].names[j]);
      if (strncmp(name, all[i].names[j], length) == 0 && !strchr("0123456789d", name[length]))
        return (uint64_t)machine->gregs[all[i].index];
      if (strcmp(name, all[i].names[j]) == 0) return (uint64_t)machine->gregs[all[i].index];
    }
#else
  if (strncmp(name, "sp", 2) == 0) return machine->sp;
  if (*name == 'x' || *name == 'w') return machine->regs[atoi(name + 1)];
#endif
  trace("no register %s", name);
  return 0;
}

static uint64_t argument_of(const mcontext_t *machine, const char *text) {
  int size = atoi(text), bits = 64 - 8 * (size < 0 ? -size : size);
  const char *place = strchr(text, '@') + 1;
  uint64_t value;
#if defined __x86_64__
  if (*place == '%') {
    value = register_of(machine, place + 1);
  } else {
    const char *name = strchr(place, '%');
    memcpy(&value, (char *)register_of(machine, name + 1) + atoi(place), sizeof value);
  }
#else
  if (*place == '[') {
    const char *comma = strchr(place, ',');
    memcpy(&value, (char *)register_of(machine, place + 1) + (comma ? atoi(comma + 1) : 0),
           sizeof value);
  } else {
    value = register_of(machine, place);
  }
#endif
  value <<= bits;
  return size < 0 ? (uint64_t)((int64_t)value >> bits) : value >> bits;
}

/* ---- hits ---- */
static void (*when_hit)(const site *it);

static void hit(int number, siginfo_t *info, void *context) {
  mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
#if defined __x86_64__
  char *place = (char *)machine->gregs[REG_RIP] - 1; /* it is behind the breakpoint already */
#else
  char *place = (char *)machine->pc;
  machine->pc += sizeof breakpoint;
#endif
  for (int i = 0; i < site_count; i++) {
    site *it = &sites[i];
    if (it->place != place) continue;
    const char *argument = it->arguments;
    for (int j = 0; j < 5 && argument && *argument; j++) {
      it->found[j] = argument_of(machine, argument);
      argument = strchr(argument, ' ');
      if (argument) argument++;
    }
    when_hit(it);
    return;
  }
  abort();
}

/* Puts the breakpoint over a probe, and takes it away. */
static void stop_at(const char *name, void (*call)(const site *)) {
  struct sigaction action = {.sa_sigaction = hit, .sa_flags = SA_SIGINFO};
  sigaction(SIGTRAP, &action, NULL);
  when_hit = call;
  poke(site_of(name)->place, breakpoint, sizeof breakpoint);
}
static void go_on_at(const char *name) {
  site *it = site_of(name);
  poke(it->place, it->nop, sizeof breakpoint);
}

/* Counts one watcher of a probe more, or less. */
static void watch_probe(const char *name, int change) {
  site *it = site_of(name);
  uint16_t count = (uint16_t)(*(volatile uint16_t *)it->watchers + change);
  poke(it->watchers, &count, sizeof count);
}

#endif
