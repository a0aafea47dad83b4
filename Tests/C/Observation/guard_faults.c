/* Guarded objects: other faults, threads, hooks. */
#define _GNU_SOURCE
#include "guarded.h"
#include "sanitizer.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static sigjmp_buf back;
static void *volatile fault_address;
static void jump_back(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)context;
  fault_address = info->si_addr;
  siglongjmp(back, 1);
}

/* A child process that runs `body` and exits with its result. Answers the status. */
static int child(int (*body)(void)) {
  fflush(NULL);
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) _exit(body());
  int status = -1;
  CHECK_INT(waitpid(pid, &status, 0), pid);
  return status;
}
static char *read_only_page(void) {
  return mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* This one comes first, because the handlers are installed once in a process. */
static int passes_on_a_fault(void) {
  struct sigaction action = {.sa_flags = SA_SIGINFO, .sa_sigaction = jump_back};
  person *it;
  char *page = read_only_page();
  sigaction(SIGSEGV, &action, NULL);
  guarded(&it);
  hear();
  for (int i = 0; i < 2; i++) {
    fault_address = NULL;
    if (sigsetjmp(back, 1) == 0) {
      WRITE(page[7], 1);
      return 1;
    }
    if (fault_address != page + 7) return 2;
  }
  WRITE(it->age, 1);
  return strcmp(keys(), "age") == 0 && it->age == 1 ? 0 : 3;
}
static void D_12_another_fault_goes_to_the_handler_that_was_there(void) {
  CHECK_INT(child(passes_on_a_fault), 0);
}

static int faults_elsewhere(void) {
  WRITE(*read_only_page(), 1);
  return 0;
}
static int gets_a_signal(void) {
  raise(SIGSEGV);
  return 0;
}
static int jumps_into_the_object(void) {
  person *it;
  guarded(&it);
  void *code = it;
  void (*function)(void);
  memcpy(&function, &code, sizeof function);
  function();
  return 0;
}
/* A sanitizer handles SIGSEGV itself. */
#if defined(__has_feature)
/* It blocks all signals while a handler runs, so a fault in a hook kills. */
#if __has_feature(thread_sanitizer)
#define HOOKS_MAY_NOT_FAULT 1
#endif
#endif

static void check_killed(int status) {
#ifdef BENEATH_A_SANITIZER
  /* The sanitizer's handler was there before. It reports, and exits. */
  CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
#else
  CHECK(WIFSIGNALED(status));
  CHECK_INT(WTERMSIG(status), SIGSEGV);
#endif
}
static void D_12_another_fault_still_kills(void) {
  person *it;
  belay_owner *ann = guarded(&it);
  check_killed(child(faults_elsewhere));
  check_killed(child(gets_a_signal));
  check_killed(child(jumps_into_the_object));
  belay_owner_release(ann);
}

static void D_12_a_system_call_fails(void) {
  person *it;
  belay_owner *ann = guarded(&it);
  int pipes[2];
  CHECK_INT(pipe(pipes), 0);
  CHECK_INT(write(pipes[1], "abcd", 4), 4);
  CHECK_INT(read(pipes[0], &it->age, 4), -1);
  CHECK_INT(errno, EFAULT);
  CHECK_INT(it->age, 0);
  close(pipes[0]), close(pipes[1]);
  belay_owner_release(ann);
}

/* ---- threads ---- */

enum { ROUNDS = 2000 };
static void *write_often(void *ctx) {
  person *it = ctx;
  for (int i = 1; i <= ROUNDS; i++) WRITE(it->age, i);
  return NULL;
}
static void *write_far_often(void *ctx) {
  person *it = ctx;
  for (int i = 1; i <= ROUNDS; i++) WRITE(it->far, i);
  return NULL;
}
static void in_two_threads(void *(*one)(void *), void *of_one, void *(*other)(void *), void *of_other) {
  pthread_t threads[2];
  CHECK_INT(pthread_create(&threads[0], NULL, one, of_one), 0);
  CHECK_INT(pthread_create(&threads[1], NULL, other, of_other), 0);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}

static void D_12_threads_write_to_two_objects(void) {
  person *it, *other;
  belay_owner *ann = guarded(&it), *bob = guarded(&other);
  hear();
  in_two_threads(write_often, it, write_far_often, other);
  CHECK_INT(atomic_load(&told_count), EACH(2 * ROUNDS, 2));
  CHECK(it->age == ROUNDS && other->far == ROUNDS);
  belay_owner_release(ann), belay_owner_release(bob);
  hear_no_more();
}

static belay_owner *shared;
static void *announce_often(void *ctx) {
  person *it = ctx;
  for (int i = 1; i <= ROUNDS; i++) {
    if (belay_object_will_change(shared, "far") < 0) return NULL;
    WRITE(it->far, i);
    if (belay_object_did_change(shared, "far") < 0) return NULL;
  }
  return NULL;
}
static void D_12_threads_write_to_one_object(void) {
  person *it;
  shared = guarded(&it);
  hear();
  in_two_threads(write_often, it, write_far_often, it);
  CHECK(it->age == ROUNDS && it->far == ROUNDS);
  int count = atomic_load(&told_count);
  CHECK(count >= 1 && count <= 2 * ROUNDS);
  look_at(shared), hear();
  in_two_threads(write_often, it, announce_often, it);
  CHECK(it->age == ROUNDS && it->far == ROUNDS);
  for (int i = 0; i < MOST_TOLD && i < atomic_load(&told_count); i++)
    CHECK_STRING(told[i].write.key, "age");
  /* It is guarded as before. */
  look_at(shared), hear();
  WRITE(it->level, 1);
  CHECK_KEYS("level");
  belay_owner_release(shared);
  hear_no_more();
}

static void *write_with_blocked_traps(void *ctx) {
  sigset_t traps, now;
  sigemptyset(&traps);
  sigaddset(&traps, SIGTRAP);
  pthread_sigmask(SIG_BLOCK, &traps, NULL);
  WRITE(((person *)ctx)->age, 1);
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  return sigismember(&now, SIGTRAP) == 1 ? ctx : NULL;
}
static void D_12_a_thread_that_blocks_traps_may_write(void) {
  person *it;
  belay_owner *ann = guarded(&it);
  pthread_t thread;
  void *result = NULL;
  hear();
  CHECK_INT(pthread_create(&thread, NULL, write_with_blocked_traps, it), 0);
  pthread_join(thread, &result);
  CHECK(result == it);
  CHECK_KEYS("age");
  belay_owner_release(ann);
  hear_no_more();
}

/* ---- hooks ---- */

static int writes_to_standard_error(void) {
  int pipes[2];
  char text[2048];
  person *it;
  guarded(&it);
  if (pipe(pipes) < 0 || dup2(pipes[1], STDERR_FILENO) < 0) return 1;
  WRITE(it->far, 1);
  ssize_t size = read(pipes[0], text, sizeof text - 1);
  if (size <= 0) return 2;
  text[size] = 0;
  char expected[200];
  snprintf(expected, sizeof expected, "belay: unannounced write to far of %p (Ann) by thread %ld at 0x",
           (void *)it, (long)syscall(SYS_gettid));
  if (strncmp(text, expected, strlen(expected)) != 0) return 3;
  return strstr(text, "test_guard") && strstr(text, "+0x") && text[size - 1] == '\n' ? 0 : 4;
}
static void D_12_without_a_hook_a_line_is_printed(void) {
  CHECK_INT(child(writes_to_standard_error), 0);
}

static int answer_inside;
static void replace_inside(void *ctx, const belay_unannounced_write *write_) {
  (void)ctx, (void)write_;
  answer_inside = belay_on_unannounced_write(NULL, "given", trace_free);
}
static void D_12_a_hook_is_replaced_and_its_context_freed(void) {
  person *it;
  belay_owner *ann = guarded(&it);
  CHECK_INT(belay_on_unannounced_write(tell, "first", trace_free), 0);
  CHECK_INT(belay_on_unannounced_write(replace_inside, "second", trace_free), 0);
  CHECK_TRACE("free first");
  WRITE(it->age, 1);
  CHECK_INT(answer_inside, BELAY_EREENTRANT);
  CHECK_TRACE("free given");
  CHECK_INT(belay_on_unannounced_write(NULL, "none", trace_free), 0);
  CHECK_TRACE("free none | free second");
  belay_owner_release(ann);
}

/* ---- a process that is forked while another thread is in the hook ---- */

#ifndef EMULATED /* qemu, which runs the tests of other machines, does not always survive that */

static atomic_int is_in_hook, may_leave;
static void wait_in_hook(void *ctx, const belay_unannounced_write *write_) {
  is_in_hook = 1;
  while (!may_leave) sched_yield();
}
static person *forked;
static belay_owner *forked_owner;
static void write_age(void *ctx) { WRITE(forked->age, 1); }
static int guards_in_the_child(void) {
  alarm(20); /* in place of a hang */
  if (belay_on_unannounced_write(tell, NULL, NULL) != 0) return 1;
  atomic_store(&told_count, 0);
  look_at(forked_owner); /* where no trap follows, the write of the parent has left it open */
  WRITE(forked->far, 1);
  return atomic_load(&told_count) == 1 ? 0 : 2;
}
static void D_12_a_child_has_the_guards_and_not_the_hooks_under_way(void) {
  forked_owner = guarded(&forked);
  CHECK_INT(belay_on_unannounced_write(wait_in_hook, NULL, NULL), 0);
  routine writer;
  start_thread(&writer, write_age, NULL);
  while (!is_in_hook) sched_yield();
  CHECK_INT(child(guards_in_the_child), 0);
  may_leave = 1;
  join_thread(&writer);
  belay_owner_release(forked_owner);
  hear_no_more();
}
#endif

#ifndef HOOKS_MAY_NOT_FAULT
static void write_to_another(void *ctx, const belay_unannounced_write *write_) {
  tell(NULL, write_);
  person *other = ctx;
  if (write_->object != other) WRITE(other->level, 1);
}
static void D_12_a_hook_may_write_to_another_object(void) {
  person *it, *other;
  belay_owner *ann = guarded(&it), *bob = guarded(&other);
  atomic_store(&told_count, 0);
  CHECK_INT(belay_on_unannounced_write(write_to_another, other, NULL), 0);
  WRITE(it->age, 1), look_at(ann), look_at(bob);
  WRITE(it->far, 1);
  CHECK_KEYS("age level far level");
  belay_owner_release(ann), belay_owner_release(bob);
  hear_no_more();
}
#endif

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(D_12_another_fault_goes_to_the_handler_that_was_there),
      CASE(D_12_another_fault_still_kills),
      CASE(D_12_a_system_call_fails),
      CASE(D_12_threads_write_to_two_objects),
      CASE(D_12_threads_write_to_one_object),
      CASE(D_12_a_thread_that_blocks_traps_may_write),
      CASE(D_12_without_a_hook_a_line_is_printed),
      CASE(D_12_a_hook_is_replaced_and_its_context_freed),
#ifndef EMULATED
      CASE(D_12_a_child_has_the_guards_and_not_the_hooks_under_way),
#endif
#ifndef HOOKS_MAY_NOT_FAULT
      CASE(D_12_a_hook_may_write_to_another_object),
#endif
  };
  return RUN_CASES(cases);
}
