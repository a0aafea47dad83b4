/* A system that forbids executable memory: there are no slots, and an error says so. This is a
   program of its own, because libffi keeps room for more functions once it has made one. */
#include "in_a_child.h"
#include "interfaces.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static int twice(void *it, int number) { return 2 * number; }
typedef struct ops {
  int (*twice)(void *it, int number);
} ops;
static const belay_method methods[] = {BELAY_METHOD(ops, twice, "i@i")};

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* Forbids executable memory to this process, for good. */
static int forbid(void) {
#define JUMP(kind, value, yes, no) BPF_JUMP(BPF_JMP | kind | BPF_K, value, yes, no)
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
  struct sock_filter steps[] = {
      LOAD(nr),
      JUMP(BPF_JEQ, SYS_memfd_create, 6, 0),
      JUMP(BPF_JEQ, SYS_mmap, 2, 0),
      JUMP(BPF_JEQ, SYS_mprotect, 1, 0),
      JUMP(BPF_JEQ, SYS_pkey_mprotect, 0, 2),
      LOAD(args[2]), /* the protection's lower half, for both machines are little-endian */
      JUMP(BPF_JSET, PROT_EXEC, 1, 0),
      ANSWER(SECCOMP_RET_ALLOW),
      ANSWER(SECCOMP_RET_ERRNO | EACCES),
  };
  struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static int forbid(void) { return -1; }
#endif

enum { skipped = 77 };

static void try_where_it_is_forbidden(void) {
  belay_interface *interface = TABLE_INTERFACE(ops, methods);
  if (forbid() != 0) _exit(skipped);
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  CHECK(mmap(NULL, page, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
  ops table = {twice};
  size_t alive = belay_live_count(BELAY_LIVE_KINDS), before = 0;
  enum { ROUNDS = 1000 };
  for (int i = 0; i < ROUNDS; i++) {
    if (i == ROUNDS / 2) before = mallinfo2().uordblks;
    CHECK(!belay_slot_create_in_table(interface, &table, "twice", 0));
    const belay_error *error = belay_last_error();
    CHECK_INT(belay_error_code(error), BELAY_ENOMEM);
    CHECK_STRING(belay_error_message(error), "no function can be made at run time here");
    CHECK(table.twice == twice);
    CHECK_INT(belay_live_count(BELAY_LIVE_KINDS), alive);
  }
  CHECK(mallinfo2().uordblks < before + 4096 + ROUNDS / 2 * REMEMBERED);
  CHECK_INT(belay_table_gone(&table), BELAY_ENOENT);
  belay_last_error();
  /* What needs no generated function works. */
  belay_invocation *call = belay_invocation_create(interface, "twice");
  CHECK_INT(belay_invocation_set(call, 0, belay_int32(21)), 0);
  CHECK_INT(belay_invocation_call(call, (belay_function)twice), 0);
  int32_t result = 0;
  CHECK_INT(belay_value_get_int32(belay_invocation_result(call), &result), 0);
  CHECK_INT(result, 42);
  belay_invocation_release(call);
  belay_interface_release(interface);
}

static const test_case in_the_child[] = {CASE(try_where_it_is_forbidden)};

static void no_slot_without_executable_memory(void) {
  int code = run_in_a_child(in_the_child, 1);
  if (code == skipped) printf("skipped: there is no seccomp here\n");
  else CHECK_INT(code, 0);
}

static void a_slot_where_it_is_allowed(void) {
  belay_interface *interface = TABLE_INTERFACE(ops, methods);
  ops table = {twice};
  belay_slot *slot = belay_slot_create_in_table(interface, &table, "twice", 0);
  CHECK(slot != NULL);
  CHECK_INT(belay_slot_around(slot, proceed, NULL, NULL, NULL), 0);
  CHECK(table.twice != twice);
  CHECK_INT(table.twice(&table, 4), 8);
  CHECK_INT(belay_table_gone(&table), 0);
  CHECK(table.twice == twice);
  belay_slot_release(slot);
  belay_interface_release(interface);
}

static const test_case cases[] = {
    CASE(no_slot_without_executable_memory),
    CASE(a_slot_where_it_is_allowed),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
