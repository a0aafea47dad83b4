/* Notes the steps of a schedule and prints them: the thread, the line of the source, the change of
   which word, and the callers. */
#define _GNU_SOURCE
#include <ctype.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"

static line *next_line(int thread) {
  if (!told->isTraced || told->lineCount == most_lines) return NULL;
  line *next = &told->lines[told->lineCount];
  memset(next, 0, sizeof *next);
  next->thread = (uint8_t)thread;
  next->at = now;
  told->lineCount++;
  return next;
}

static void note_word(line *line) {
  const block *found = line->step.word ? block_of(line->step.word) : NULL;
  if (!found) return;
  line->owner = *(void **)found->start;
  line->ordinal = (int)found->ordinal + 1;
  line->offset = (int)((char *)line->step.word - found->start);
}

static void note_callers(line *line, int first) {
  int depth = running->callDepth < most_calls ? running->callDepth : most_calls;
  for (int i = first; i < most_frames && depth > 0; i++) line->frames[i] = running->calls[--depth];
}

void trace_step(const belay_explore_step *step, uint64_t result, bool isBuffered) {
  line *line = next_line(running->number);
  if (!line) return;
  line->step = *step;
  line->result = result;
  line->isBuffered = isBuffered;
  note_word(line);
  note_callers(line, 0);
}

void trace_arrival(const fiber *fiber, const belay_explore_step *step) {
  line *line = next_line(fiber->number);
  if (!line) return;
  line->step = *step;
  line->isDrain = true;
  note_word(line);
}

void explore_note(const char *note) {
  explore_point();
  line *line = isExploring && running ? next_line(running->number) : NULL;
  if (line) line->note = note;
}

void trace_access(int thread, const void *address, const char *what, void *place, bool isNow) {
  line *line = next_line(thread);
  if (!line) return;
  line->note = what;
  line->step.word = (void *)address;
  note_word(line);
  line->frames[0] = place;
  if (isNow) note_callers(line, 1);
}

void trace_switch(int thread) {
  line *line = next_line(thread);
  if (line) line->isSwitch = true;
}

/* ---- printing, by the process that watches ---- */

static uintptr_t base_of_program(void) {
  extern const char __ehdr_start[];
  return (uintptr_t)__ehdr_start;
}

/* The source lines of callers. addr2line is asked once, for each place once. */
static struct caller {
  uintptr_t address;
  char *lines;
} * callers;
static size_t callerCount;

static int compare_callers(const void *a, const void *b) {
  uintptr_t first = ((const struct caller *)a)->address;
  uintptr_t second = ((const struct caller *)b)->address;
  return (first > second) - (first < second);
}

static uintptr_t address_of(const void *frame) { return (uintptr_t)frame - base_of_program() - 1; }

static void collect_callers(uint32_t first) {
  callers = calloc((told->lineCount - first) * most_frames + 1, sizeof *callers);
  size_t count = 0;
  for (uint32_t i = first; i < told->lineCount; i++)
    for (int frame = 0; frame < most_frames && told->lines[i].frames[frame]; frame++)
      callers[count++].address = address_of(told->lines[i].frames[frame]);
  qsort(callers, count, sizeof *callers, compare_callers);
  callerCount = 0;
  for (size_t i = 0; i < count; i++)
    if (callerCount == 0 || callers[callerCount - 1].address != callers[i].address)
      callers[callerCount++] = callers[i];
}

static void ask_addr2line(void) {
  char path[] = "/tmp/explorer-XXXXXX", program[4096], command[4400];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  int file = mkstemp(path);
  if (file < 0 || length < 0) return;
  program[length] = 0;
  FILE *out = fdopen(file, "w");
  for (size_t i = 0; i < callerCount; i++)
    fprintf(out, "0x%lx\n", (unsigned long)callers[i].address);
  fclose(out);
  snprintf(command, sizeof command, "addr2line -s -a -i -e '%s' < %s 2>/dev/null", program, path);
  FILE *in = popen(command, "r");
  char text[512];
  size_t next = 0;
  while (in && fgets(text, sizeof text, in)) {
    text[strcspn(text, " \n")] = 0;
    if (strncmp(text, "0x", 2) == 0) {
      next++;
      continue;
    }
    if (next == 0 || next > callerCount || strchr(text, '?') || strstr(text, ":0")) continue;
    struct caller *caller = &callers[next - 1];
    char *joined = NULL;
    if (asprintf(&joined, "%s%s%s", caller->lines ? caller->lines : "", caller->lines ? " " : "",
                 text) < 0)
      break;
    free(caller->lines);
    caller->lines = joined;
  }
  if (in) pclose(in);
  unlink(path);
}

static const char *lines_of(const void *frame) {
  struct caller wanted = {.address = address_of(frame)};
  const struct caller *found =
      bsearch(&wanted, callers, callerCount, sizeof *callers, compare_callers);
  return found ? found->lines : NULL;
}

/* The name of the class with that metadata, from the program's own table of symbols. */
static void look_up_class(const void *metadata, char *name, size_t size) {
  snprintf(name, size, "block");
  static char *image;
  static size_t length;
  if (!image) {
    FILE *file = fopen("/proc/self/exe", "r");
    if (!file) return;
    fseek(file, 0, SEEK_END);
    length = (size_t)ftell(file);
    rewind(file);
    image = malloc(length);
    if (!image || fread(image, 1, length, file) != length) length = 0;
    fclose(file);
  }
  if (length == 0) return;
  const ElfW(Ehdr) *header = (void *)image;
  const ElfW(Shdr) *sections = (void *)(image + header->e_shoff);
  uintptr_t wanted = (uintptr_t)metadata - base_of_program();
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const char *names = image + sections[sections[i].sh_link].sh_offset;
    const ElfW(Sym) *symbols = (void *)(image + sections[i].sh_offset);
    for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++) {
      if (symbols[k].st_value == 0 || wanted < symbols[k].st_value) continue;
      if (wanted - symbols[k].st_value > 32) continue;
      /* $e5Belay19ForeignSubscriptionC…: the second identifier. */
      const char *mangled = names + symbols[k].st_name;
      if (mangled[0] != '$') continue;
      const char *at = mangled + 2;
      for (int identifier = 0; isdigit((unsigned char)*at); identifier++) {
        char *end;
        size_t count = strtoul(at, &end, 10);
        if (identifier == 1 && count < size) {
          memcpy(name, end, count);
          name[count] = 0;
          return;
        }
        at = end + count;
      }
    }
  }
}

static const char *class_name(const void *metadata) {
  static struct {
    const void *metadata;
    char name[80];
  } known[128];
  static int count;
  for (int i = 0; i < count; i++)
    if (known[i].metadata == metadata) return known[i].name;
  int place = count < 128 ? count++ : 127;
  known[place].metadata = metadata;
  look_up_class(metadata, known[place].name, sizeof known[place].name);
  return known[place].name;
}

static const char *kinds[] = {
    "load", "store", "exchange", "add",   "subtract",        "or",          "and", "xor",
    "max",  "min",   "compare",  "fence", "barrier for all", "sleep while", "wake"};

static void print_source(FILE *out, const char *file, int number) {
  FILE *source = fopen(file, "r");
  char text[400] = "";
  for (int i = 0; source && i < number && fgets(text, sizeof text, source); i++) continue;
  if (source) fclose(source);
  char *start = text + strspn(text, " \t");
  start[strcspn(start, "\n")] = 0;
  const char *name = strrchr(file, '/');
  fprintf(out, "%s:%d  %s", name ? name + 1 : file, number, start);
}

static void print_word(FILE *out, const line *line) {
  if (!line->step.word) return;
  if (!line->owner) {
    fprintf(out, " [%p]", line->step.word);
    return;
  }
  fprintf(out, " [%s %d, byte %d]", class_name(line->owner), line->ordinal, line->offset);
}

static void print_step(FILE *out, const line *line) {
  const belay_explore_step *step = &line->step;
  fprintf(out, "%s", kinds[step->kind]);
  switch (step->kind) {
    case belay_explore_load:
      fprintf(out, " 0x%llx", (unsigned long long)line->result);
      break;
    case belay_explore_store:
      fprintf(out, " 0x%llx", (unsigned long long)step->operand);
      break;
    case belay_explore_fence:
    case belay_explore_barrier:
      break;
    case belay_explore_compare_exchange:
      fprintf(out, " 0x%llx with 0x%llx: was 0x%llx", (unsigned long long)step->operand,
              (unsigned long long)step->expected, (unsigned long long)line->result);
      break;
    case belay_explore_wait:
    case belay_explore_wake:
      fprintf(out, " %d", (int)step->operand);
      break;
    default:
      fprintf(out, " 0x%llx: was 0x%llx", (unsigned long long)step->operand,
              (unsigned long long)line->result);
  }
  if (step->isCount) fprintf(out, " (references)");
  print_word(out, line);
}

/* The callers, without what the step's own line says and without the explorer's own functions. */
static void print_callers(FILE *out, const line *line) {
  char own[200] = "";
  if (line->step.file) {
    const char *name = strrchr(line->step.file, '/');
    snprintf(own, sizeof own, "%s:%d", name ? name + 1 : line->step.file, line->step.line);
  }
  static const char *const unwanted[] = {"ExploredAtomic", "steps.c",   "trace.c",
                                         "threads.c",      "explore.c", "<compiler"};
  int printed = 0;
  for (int i = 0; i < most_frames && line->frames[i] && printed < 7; i++) {
    const char *lines = lines_of(line->frames[i]);
    char *rest = lines ? strdup(lines) : NULL, *next = NULL;
    for (char *text = rest ? strtok_r(rest, " ", &next) : NULL; text && printed < 7;
         text = strtok_r(NULL, " ", &next)) {
      bool isWanted = strcmp(text, own) != 0;
      for (size_t k = 0; k < sizeof unwanted / sizeof *unwanted; k++)
        isWanted &= strncmp(text, unwanted[k], strlen(unwanted[k])) != 0;
      if (isWanted) fprintf(out, "%s%s", printed++ ? " < " : "               ", text);
    }
    free(rest);
  }
  if (printed) fprintf(out, "\n");
}

void print_trace(FILE *out, uint32_t most) {
  uint32_t first = told->lineCount > most ? told->lineCount - most : 0;
  collect_callers(first);
  ask_addr2line();
  if (first > 0) fprintf(out, "  (%u lines are left out)\n", first);
  for (uint32_t i = first; i < told->lineCount; i++) {
    const line *line = &told->lines[i];
    if (line->isSwitch) {
      fprintf(out, "  -------- thread %d\n", line->thread);
      continue;
    }
    fprintf(out, "%6u  %*s%d  ", line->at, line->thread * 2, "", line->thread);
    if (line->isDrain) fprintf(out, "(arrives) ");
    if (line->note) {
      fprintf(out, "== %s", line->note);
      print_word(out, line);
    } else {
      print_step(out, line);
    }
    if (line->isBuffered) fprintf(out, ", waits in the buffer");
    if (line->step.file) {
      fprintf(out, "   ");
      print_source(out, line->step.file, line->step.line);
    }
    fprintf(out, "\n");
    print_callers(out, line);
  }
  for (size_t i = 0; i < callerCount; i++) free(callers[i].lines);
  free(callers);
  callers = NULL;
}
