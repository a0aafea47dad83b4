/* A process that runs out of memory ends with abort() and one line that says so, wherever that
   happens. A request of the caller's own size is answered with a code. */
#define _GNU_SOURCE
#include <belay/testing.h>
#include "cases.h"
#include "sanitizer.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#ifdef BENEATH_A_SANITIZER
#define HAS_OWN_MALLOC 0 /* the sanitizer has one, and reports a refusal itself */
#else
#define HAS_OWN_MALLOC 1
#endif

/* ---- allocations that fail ---- */

#if HAS_OWN_MALLOC
static long fails_at; /* counted from 1; 0: nothing is counted */
static size_t largest;
static struct {
  long count;
  int is_others; /* a library other than Belay's asked for it */
} *memory;       /* shared with the child process */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static int is_of(const void *address, const char *library) {
  Dl_info info;
  return dladdr(address, &info) && info.dli_fname && strstr(info.dli_fname, library) != NULL;
}

static int fails(size_t size, const void *caller) {
  if (largest && size > largest) return 1;
  if (!fails_at || __atomic_add_fetch(&memory->count, 1, __ATOMIC_RELAXED) != fails_at) return 0;
  memory->is_others = !is_of(caller, "libbelay") && !is_of(caller, "memory_exhausted_static");
  errno = ENOMEM;
  return 1;
}
void *malloc(size_t size) {
  return fails(size, __builtin_return_address(0)) ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  return fails(count * size, __builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *block, size_t size) {
  return fails(size, __builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  return fails(size, __builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}
#endif

/* ---- a program that uses a bit of everything ---- */

static belay_loop *loop;
static belay_signal *inputs[3];

static belay_value doubled(void *ctx, belay_value value) {
  int64_t number = 0;
  belay_value_get_int64(value, &number);
  return belay_int64(number * 2);
}
static int odd(void *ctx, belay_value value) {
  int64_t number = 0;
  belay_value_get_int64(value, &number);
  return number & 1;
}
static belay_value added(void *ctx, belay_value sum, belay_value value) {
  return belay_array_of((belay_value[]){belay_value_retain(value), belay_string("sum")}, 2);
}
static belay_value joined(void *ctx, const belay_value *values, size_t count) {
  return belay_value_retain(values[count - 1]);
}
static void heard(void *ctx, belay_value value) {}
static void ended(void *ctx, const belay_error *error) { belay_error_message(error); }

static void listen_to(belay_signal *signal) {
  belay_observer observer = {.size = sizeof observer, .next = heard, .error = ended};
  belay_signal_subscribe(signal, &observer, NULL);
  observer.next = NULL;
  observer.next_batch = ignore_values;
  belay_disposable *subscription = NULL;
  belay_signal_subscribe(signal, &observer, &subscription);
  belay_signal_release(signal);
  belay_disposable_release(subscription);
}

static belay_signal *input(int i) { return belay_signal_retain(inputs[i]); }

static void send_everything(void) {
  for (int i = 0; i < 20; i++) {
    belay_subject_next(inputs[0], belay_int64(i));
    belay_subject_next(inputs[1], belay_string("some text that does not fit into a word"));
    belay_subject_next(inputs[2], belay_bytes("\xff\x00bytes", 7));
  }
}

static void from_elsewhere(void *ctx) {
  belay_subject_next(inputs[0], belay_int64(3));
  belay_loop_post(loop, empty_action, NULL, NULL);
}

static void operators(belay_scheduler *scheduler) {
  listen_to(belay_signal_chain(input(0), belay_op_map(doubled, NULL, NULL),
                               belay_op_filter(odd, NULL, NULL), belay_op_take(5)));
  listen_to(belay_signal_chain(input(0), belay_op_scan(belay_int64(0), added, NULL, NULL),
                               belay_op_buffer(3)));
  listen_to(belay_signal_chain(input(0), belay_op_flat_map(BELAY_UNLIMITED, just_it, NULL, NULL),
                               belay_op_materialize()));
  listen_to(
      belay_signal_chain(input(0), belay_op_window(2, 1), belay_op_merge_all(BELAY_UNLIMITED)));
  listen_to(belay_signal_chain(input(1), belay_op_debounce(scheduler, 0.001)));
  listen_to(belay_signal_chain(input(1), belay_op_delay(scheduler, 0.001),
                               belay_op_timeout(scheduler, 1, NULL)));
  listen_to(belay_signal_chain(input(2), belay_op_observe_on(scheduler, NULL),
                               belay_op_share_replay(NULL, -1, 4, 0)));
  listen_to(belay_signal_combine_latest((belay_signal *[]){input(0), input(1)}, 2, joined, NULL,
                                        NULL));
  listen_to(belay_signal_zip((belay_signal *[]){input(0), input(1), input(2)}, 3, joined, NULL,
                             NULL));
  listen_to(belay_signal_merge((belay_signal *[]){input(0), input(2)}, 2));
}

static void owners(void) {
  belay_owner *owner = belay_owner_create("owned", NULL, NULL, NULL);
  belay_weak *weak = belay_weak_create(owner);
  belay_observer observer = {.size = sizeof observer, .next = heard};
  observer.owner = owner;
  belay_signal_subscribe(inputs[0], &observer, NULL);
  for (int i = 0; i < 20; i++) belay_owner_add_action(owner, empty_action, NULL, NULL);
  belay_subject_next(inputs[0], belay_int64(1));
  belay_owner_release(owner);
  belay_weak_release(weak);
  belay_disposable *bag = belay_compound_create();
  for (int i = 0; i < 20; i++) {
    belay_disposable *member = belay_disposable_create(empty_action, NULL, NULL);
    belay_compound_add(bag, member, NULL);
    belay_disposable_release(member);
  }
  belay_disposable_dispose(bag);
  belay_disposable_release(bag);
}

static void values(void) {
  int number = 1;
  belay_value items[] = {belay_string("one"), belay_bytes("two", 3),
                         belay_struct("int", &number, sizeof number),
                         belay_pointer_owned(NULL, empty_action)};
  belay_value array = belay_array_of(items, 4);
  char text[200];
  belay_value_describe(array, text, sizeof text);
  belay_value_release(array);
  belay_value_release(belay_value_failure(BELAY_ERANGE, "a value that failed"));
  belay_error *error = belay_error_create(BELAY_EINVAL, "domain", "message", belay_null(), NULL);
  belay_error_release(error);
  belay_fail(BELAY_EAGAIN, "kept");
  belay_last_error();
}

static void properties(void) {
  belay_property *one = belay_property_create(belay_string("the first of the values"), NULL);
  belay_property *two = belay_property_create(belay_null(), NULL);
  belay_disposable *channel = NULL;
  belay_property_channel(one, two, &channel);
  listen_to(belay_property_signal(two));
  for (int i = 0; i < 3; i++) belay_property_set(one, belay_int32(i));
  belay_disposable_dispose(channel);
  belay_disposable_release(channel);
  belay_property_release(one);
  belay_property_release(two);
}

static void diagrams(void) {
  belay_marbles *test = belay_marbles_create();
  belay_signal *source = belay_marbles_cold(test, "-1-2-(3|)");
  belay_marbles_expect(test, belay_signal_chain(source, belay_op_take(2)), NULL, "-1-4-|");
  belay_marbles_run(test);
  belay_error_message(belay_last_error());
  belay_marbles_release(test);
}

typedef struct point {
  double x, y;
} point;
typedef struct ops {
  int (*add)(void *it, int number, point place);
} ops;
static int add(void *it, int number, point place) { return number + (int)place.x; }

/* Where the build has interception. */
static void interception(void) {
  static const belay_method methods[] = {BELAY_METHOD(ops, add, "i@i{point=dd}")};
  belay_interface *interface = belay_interface_create(&(belay_interface_description){
      .size = sizeof(belay_interface_description),
      .name = "ops",
      .table_size = sizeof(ops),
      .methods = methods,
      .method_count = 1,
      .table_offset = BELAY_NO_TABLE});
  ops table = {add};
  belay_slot *slot = belay_slot_create_in_table(interface, &table, "add", 0);
  listen_to(belay_slot_sent(slot));
  listen_to(belay_slot_invoked(slot));
  for (int i = 0; i < 3; i++) table.add(NULL, i, (point){1, 2});
  belay_slot_release(slot);
  belay_table_gone(&table);
  belay_interface_release(interface);
  belay_last_error();
}

static void everything(void) {
  loop = belay_loop_create(NULL);
  if (!loop) return; /* libuv had no memory, and answered with a code */
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  belay_scheduler *pool = belay_scheduler_create_pool(loop);
  belay_source_options shared = {.size = sizeof shared, .shared = 1};
  inputs[0] = belay_subject_create(NULL);
  inputs[1] = belay_subject_create_behavior(belay_string("first"), NULL);
  inputs[2] = belay_subject_create(&shared);
  operators(scheduler);
  send_everything();
  owners();
  values();
  properties();
  diagrams();
  interception();
  for (int i = 0; i < 40; i++)
    belay_scheduler_after(scheduler, i * 1e-5, empty_action, NULL, NULL, NULL);
  belay_scheduler_schedule(pool, empty_action, NULL, NULL, NULL);
  listen_to(belay_file_lines(loop, "/etc/passwd", 0));
  listen_to(belay_posix_signal(loop, 10));
  pthread_t thread;
  routine elsewhere = {.run = from_elsewhere};
  if (pthread_create(&thread, NULL, routine_main, &elsewhere) == 0) pthread_join(thread, NULL);
  belay_worker *worker = belay_worker_create(&BELAY_INIT(belay_worker_options, .label = "worker"));
  belay_scheduler_schedule(belay_worker_get_scheduler(worker), empty_action, NULL, NULL, NULL);
  belay_worker_release(worker);
  for (int i = 0; i < 10; i++) belay_loop_run(loop, BELAY_RUN_NOWAIT);
  belay_loop_close(loop, ignore_left, NULL, NULL);
  for (int i = 0; i < 3; i++) belay_signal_release(inputs[i]);
  belay_scheduler_release(pool);
  belay_loop_release(loop);
}

static void the_program_comes_to_its_end(void) {
  everything();
  belay_last_error();
}

#if HAS_OWN_MALLOC
static const char told[] = "belay: out of memory (";

/* Runs the program in a process of its own; what it ended with, and the line that says why, behind
   which another thread may print one more, else the last one. */
static int run_and_fail_at(long place, char *line, size_t size) {
  int ends[2], status;
  CHECK_INT(pipe(ends), 0);
  fflush(NULL);
  memory->count = memory->is_others = 0;
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    alarm(20);
    fails_at = place;
    everything();
    _exit(0);
  }
  close(ends[1]);
  FILE *output = fdopen(ends[0], "r");
  line[0] = 0;
  char next[256];
  while (fgets(next, sizeof next, output))
    if (strncmp(line, told, sizeof told - 1) != 0) snprintf(line, size, "%s", next);
  fclose(output);
  CHECK_INT(waitpid(child, &status, 0), child);
  return status;
}

static void each_allocation_fails_once(void) {
  char line[256];
  memory = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  CHECK_INT(run_and_fail_at(__LONG_MAX__, line, sizeof line), 0);
  long count = memory->count;
  long times_told = 0;
  for (long place = 1; place <= count; place++) {
    int status = run_and_fail_at(place, line, sizeof line);
    int is_told = strncmp(line, told, sizeof told - 1) == 0 && strstr(line, " bytes)\n");
    int is_aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    int is_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    /* An allocation of libuv or libc ends the process in its own way, or is answered with a
       code. */
    times_told += is_aborted && is_told;
    if (!(is_aborted && is_told) && !(memory->is_others && (is_well || is_aborted)) &&
        !(is_well && memory->count < place))
      check_failed(__FILE__, __LINE__, "allocation %ld of %ld: status %#x, \"%s\"", place, count,
                   status, line);
  }
  CHECK(times_told > 1000);
  munmap(memory, sizeof *memory);
}

/* ---- sizes that a caller asks for ---- */

static int failed_with(belay_value value) {
  int code = belay_error_code(belay_last_error());
  CHECK_INT(belay_value_kind(value), BELAY_KIND_FAILURE);
  belay_value_release(value);
  return code;
}

static void a_size_that_a_caller_asks_for_is_answered_with_a_code(void) {
  enum { COUNT = 1 << 18, SIZE = COUNT * sizeof(belay_value) };
  belay_value *many = __libc_malloc(SIZE);
  memset(many, 'x', SIZE);
  largest = SIZE / 2;
  CHECK_INT(failed_with(belay_string_n((char *)many, SIZE)), BELAY_ENOMEM);
  CHECK_INT(failed_with(belay_bytes(many, SIZE)), BELAY_ENOMEM);
  CHECK_INT(failed_with(belay_struct("many", many, SIZE)), BELAY_ENOMEM);
  largest = 0;
  for (int i = 0; i < COUNT; i++) many[i] = belay_int32(i);
  /* The array takes its items over in every case. */
  many[7] = belay_pointer_owned("seven", trace_free);
  largest = SIZE / 2;
  CHECK_INT(failed_with(belay_array_of(many, COUNT)), BELAY_ENOMEM);
  CHECK_TRACE("free seven");
  many[7] = belay_int32(7);
  CHECK(belay_signal_from(many, COUNT) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ENOMEM);
  CHECK(belay_op_start_with(many, COUNT) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ENOMEM);
  CHECK(belay_op_end_with(many, COUNT) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ENOMEM);
  largest = 0;
  free(many);
}
#endif

/* A bound is no size: what is bounded by it grows as it is used. */
static void bounds_allocate_nothing(void) {
  belay_loop_options options = {.size = sizeof options, .capacity = SIZE_MAX};
  loop = belay_loop_create(&options);
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  belay_source_options source = {.size = sizeof source, .capacity = SIZE_MAX};
  belay_signal *subject = belay_subject_create(&source);
  belay_queue_options queue = {.size = sizeof queue, .capacity = SIZE_MAX};
  size_t bounds[] = {SIZE_MAX, SIZE_MAX / 2, (size_t)1 << 48, (size_t)1 << 32};
  for (int i = 0; i < 4; i++) {
    size_t bound = bounds[i];
    belay_op *ops[] = {belay_op_buffer(bound),
                       belay_op_buffer_skip(bound, bound),
                       belay_op_window(bound, bound),
                       belay_op_take_last(bound),
                       belay_op_skip_last(bound),
                       belay_op_flat_map(bound, just_it, NULL, NULL),
                       belay_op_merge_all(bound),
                       belay_op_share_replay(NULL, -1, bound, 0),
                       belay_op_observe_on(scheduler, &queue)};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
      if (!ops[k]) {
        CHECK(belay_error_code(belay_last_error()) < 0);
        continue;
      }
      listen_to(belay_signal_chain_n(belay_signal_retain(subject), &ops[k], 1));
    }
    belay_signal *replay = belay_subject_create_replay(NULL, -1, bound, NULL);
    if (replay) CHECK_INT(belay_subject_next(replay, belay_int32(1)), 0);
    else belay_last_error();
    belay_signal_release(replay);
  }
  CHECK(belay_subject_next(subject, belay_int32(1)) >= 0);
  belay_signal_release(subject);
  belay_loop_close(loop, ignore_left, NULL, NULL);
  belay_loop_release(loop);
}

static const test_case cases[] = {
    CASE(the_program_comes_to_its_end),
#if HAS_OWN_MALLOC
    CASE(each_allocation_fails_once),
    CASE(a_size_that_a_caller_asks_for_is_answered_with_a_code),
#endif
    CASE(bounds_allocate_nothing),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
