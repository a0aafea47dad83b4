/* What interceptors may do to a call, and when: results and arguments of every kind, hooks that end
   themselves or are ended during the call, invocations that are kept, failures. */
#include "interfaces.h"
#include "worker.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct ops {
  int (*number)(void *it, int number);
  int8_t (*small)(void *it, int8_t number);
  uint16_t (*word)(void *it);
  bool (*truth)(void *it, bool is);
  const char *(*text)(void *it, const char *text);
  double (*real)(void *it);
  void (*take)(void *it, const char *text);
} ops;

static int the_number;
static int do_number(void *it, int number) {
  trace("number %d", number);
  return the_number = number;
}
static int8_t do_small(void *it, int8_t number) { return number; }
static uint16_t do_word(void *it) { return 0xFFFF; }
static bool do_truth(void *it, bool is) { return !is; }
static const char *do_text(void *it, const char *text) {
  trace("text %s", text);
  return text;
}
static double do_real(void *it) { return 0.5; }
static void do_take(void *it, const char *text) { free((void *)(uintptr_t)text); }
static const ops full = {do_number, do_small, do_word, do_truth, do_text, do_real, do_take};
static const belay_method methods[] = {
    BELAY_METHOD(ops, number, "i@i"), BELAY_METHOD(ops, small, "c@c"),
    BELAY_METHOD(ops, word, "S@"),    BELAY_METHOD(ops, truth, "B@B"),
    BELAY_METHOD(ops, text, "*@*"),   BELAY_METHOD(ops, real, "d@"),
    BELAY_METHOD(ops, take, "v@*"),
};

typedef struct play {
  ops table;
  belay_interface *interface;
} play;
static play begin(void) {
  return (play){.table = full, .interface = TABLE_INTERFACE(ops, methods)};
}
static void finish(play *it) {
  CHECK_INT(belay_table_gone(&it->table), 0);
  CHECK(memcmp(&it->table, &full, sizeof full) == 0);
  belay_interface_release(it->interface);
}
static belay_slot *slot_of(play *it, const char *name) {
  belay_slot *slot = belay_slot_create_in_table(it->interface, &it->table, name, 0);
  CHECK(slot != NULL);
  return slot;
}
static belay_disposable *around(belay_slot *slot, belay_around_fn with, void *ctx,
                                belay_free_fn ctx_free) {
  belay_disposable *disposable = NULL;
  CHECK_INT(belay_slot_around(slot, with, ctx, ctx_free, &disposable), 0);
  return disposable;
}

/* ---- results ---- */
typedef struct result {
  belay_value value;
  int code;
} result;
static int answering(void *ctx, belay_invocation *call) {
  const result *it = ctx;
  CHECK_INT(belay_invocation_proceed(call), 0);
  CHECK_INT(belay_invocation_set_result(call, belay_value_retain(it->value)), it->code);
  if (it->code < 0) CHECK_INT(belay_error_code(belay_last_error()), it->code);
  return 0;
}

static void results_are_converted_and_fill_their_word(void) {
  play it = begin();
  result answer = {belay_null(), 0};
  belay_slot *slots[] = {slot_of(&it, "number"), slot_of(&it, "small"), slot_of(&it, "word"),
                         slot_of(&it, "truth"), slot_of(&it, "real")};
  belay_disposable *hooks[5];
  for (int i = 0; i < 5; i++) hooks[i] = around(slots[i], answering, &answer, NULL);
  answer.value = belay_int64(-42);
  CHECK_INT(it.table.number(NULL, 7), -42);
  CHECK_INT(it.table.small(NULL, 7), -42);
  CHECK(it.table.real(NULL) == -42);
  answer = (result){belay_double(-42), BELAY_EKIND};
  CHECK_INT(it.table.number(NULL, 7), 7);
  answer.code = 0;
  CHECK(it.table.real(NULL) == -42);
  answer.value = belay_int64(100);
  CHECK_INT(it.table.number(NULL, -1), 100);
  CHECK_INT(it.table.small(NULL, -1), 100);
  CHECK_INT(it.table.word(NULL), 100);
  answer.value = belay_null();
  CHECK_INT(it.table.number(NULL, -1), 0);
  CHECK_INT(it.table.small(NULL, -1), 0);
  CHECK_INT(it.table.word(NULL), 0);
  CHECK(it.table.real(NULL) == 0);
  CHECK(it.table.truth(NULL, false) == false);
  answer.value = belay_bool(2);
  CHECK(it.table.truth(NULL, true) == true);
  /* an answer that does not fit leaves the result as it was */
  answer = (result){belay_int64(70000), BELAY_ERANGE};
  CHECK_INT(it.table.small(NULL, -3), -3);
  CHECK_INT(it.table.word(NULL), 0xFFFF);
  answer = (result){belay_string("no number"), BELAY_EKIND};
  CHECK_INT(it.table.number(NULL, -3), -3);
  CHECK(it.table.real(NULL) == 0.5);
  belay_value_release(answer.value);
  for (int i = 0; i < 5; i++) end_subscription(hooks[i]), belay_slot_release(slots[i]);
  finish(&it);
  trace_clear();
}

/* A caller may pass a byte other than 0 and 1 as a bool: it is passed on unchanged. */
static int see_truth(void *ctx, belay_invocation *call) {
  belay_value value;
  int is = 5;
  CHECK_INT(belay_invocation_get(call, 0, &value), 0);
  CHECK_INT(belay_value_get_bool(value, &is), 0);
  *(int *)ctx = is;
  return belay_invocation_proceed(call);
}
static uint8_t byte_of(void *it, uint8_t byte) { return byte; }
static void a_truth_that_is_neither_0_nor_1(void) {
  play it = begin();
  it.table.truth = (bool (*)(void *, bool))(belay_function)byte_of;
  belay_slot *slot = slot_of(&it, "truth");
  int seen = 7;
  belay_disposable *hook = around(slot, see_truth, &seen, NULL);
  uint8_t (*function)(void *, uint8_t) = (uint8_t (*)(void *, uint8_t))(belay_function)it.table.truth;
  CHECK_INT(function(NULL, 0x40), 0x40);
  CHECK_INT(seen, 1);
  end_subscription(hook);
  it.table.truth = do_truth;
  belay_slot_release(slot);
  finish(&it);
}

/* ---- arguments ---- */
static void set_many_texts(void *ctx) {
  char text[64];
  snprintf(text, sizeof text, "a text that has to be kept somewhere");
  CHECK_INT(belay_invocation_set(ctx, 0, belay_string(text)), 0);
  CHECK_INT(belay_invocation_set_result(ctx, belay_string(text)), 0);
  CHECK_INT(belay_invocation_retain_arguments(ctx), 0);
}
static void strings_that_are_replaced_are_let_go(void) {
  play it = begin();
  belay_invocation *call = belay_invocation_create(it.interface, "text");
  check_flat(set_many_texts, call, 40000);
  CHECK_FAILS(belay_invocation_set(call, 0, belay_bytes("a\0b", 3)), BELAY_ERANGE);
  CHECK_FAILS(belay_invocation_set(call, 1, belay_string("past the end")), BELAY_ERANGE);
  CHECK_FAILS(belay_invocation_set(call, (size_t)-1, belay_string("past the end")), BELAY_ERANGE);
  CHECK_INT(belay_invocation_call(call, (belay_function)do_text), 0);
  CHECK_TRACE("text a text that has to be kept somewhere");
  CHECK_INT(belay_invocation_set(call, 0, belay_null()), 0);
  belay_value value;
  CHECK_INT(belay_invocation_get(call, 0, &value), 0);
  CHECK_INT(belay_value_kind(value), BELAY_KIND_NULL);
  belay_invocation_release(call);
  CHECK(belay_table_gone(&it.table) == BELAY_ENOENT);
  belay_interface_release(it.interface);
}

/* The caller gets the original's own pointer, although a responder answers too. */
static belay_value ignored(void *ctx, belay_invocation *call) { return belay_string("ignored"); }
static void the_originals_pointer_is_the_answer(void) {
  play it = begin();
  belay_slot *slot = slot_of(&it, "text");
  belay_disposable *hook = NULL;
  CHECK_INT(belay_slot_respond(slot, ignored, NULL, NULL, &hook), 0);
  const char *text = "mine";
  CHECK(it.table.text(NULL, text) == text);
  end_subscription(hook);
  belay_slot_release(slot);
  finish(&it);
  trace_clear();
}

/* ---- invocations that are kept ---- */
static int keep_it(void *ctx, belay_invocation *call) {
  *(belay_invocation **)ctx = belay_invocation_retain(call);
  CHECK_INT(belay_invocation_proceed(call), 0);
  return belay_invocation_proceed(call); /* the original may be called again */
}
static void what_the_original_frees_is_not_read_after(void) {
  play it = begin();
  belay_slot *slot = slot_of(&it, "take");
  belay_observer observer = rendering("invoked");
  observer.disposed = NULL, observer.ctx_free = NULL;
  belay_signal *invoked = belay_slot_invoked(slot);
  belay_disposable *listening = NULL;
  CHECK_INT(belay_signal_subscribe(invoked, &observer, &listening), 0);
  belay_signal_release(invoked);
  char *text = malloc(5);
  memcpy(text, "gone", 5);
  it.table.take(&it, text);
  CHECK_TRACE("invoked next [gone]");
  end_subscription(listening);
  finish(&it);
  belay_slot_release(slot);
}

static void an_invocation_is_kept_and_sent_again(void) {
  play it = begin();
  belay_slot *slot = slot_of(&it, "number");
  belay_invocation *kept = NULL;
  belay_disposable *hook = around(slot, keep_it, &kept, NULL);
  CHECK_INT(it.table.number(NULL, 3), 3);
  CHECK_TRACE("number 3 | number 3");
  CHECK_FAILS(belay_invocation_proceed(kept), BELAY_EENDED);
  CHECK_INT(belay_invocation_set(kept, 0, belay_int32(9)), 0);
  CHECK_INT(belay_invocation_call(kept, belay_slot_original(slot)), 0);
  CHECK_TRACE("number 9");
  CHECK_INT(int_of(belay_invocation_result(kept)), 9);
  end_subscription(hook);
  belay_slot_release(slot);
  finish(&it);
  CHECK_FAILS(belay_invocation_proceed(kept), BELAY_EENDED);
  CHECK_INT(int_of(belay_invocation_result(kept)), 9);
  belay_invocation_release(kept);
}

/* ---- failures ---- */
static int failing(void *ctx, belay_invocation *call) {
  return belay_fail(BELAY_ERANGE, "not today");
}
static belay_value failing_answer(void *ctx, belay_invocation *call) {
  return belay_value_failure(BELAY_ERANGE, "no answer");
}
static int recording(void *it, int number) {
  CHECK(!belay_last_error());
  belay_fail(BELAY_EPERM, "the original's own");
  return number;
}
static void failures_are_the_threads_that_calls(void) {
  play it = begin();
  belay_slot *slot = slot_of(&it, "number");
  belay_disposable *hook = around(slot, failing, NULL, NULL);
  CHECK_INT(it.table.number(NULL, 3), 0);
  CHECK_TRACE("");
  const belay_error *error = belay_last_error();
  CHECK_INT(belay_error_code(error), BELAY_ERANGE);
  CHECK_STRING(belay_error_message(error), "not today");
  end_subscription(hook);
  CHECK_INT(belay_slot_respond(slot, failing_answer, NULL, NULL, &hook), 0);
  CHECK_INT(it.table.number(NULL, 3), 3);
  CHECK_TRACE("number 3");
  error = belay_last_error();
  CHECK_INT(belay_error_code(error), BELAY_ERANGE);
  CHECK_STRING(belay_error_message(error), "no answer");
  end_subscription(hook);
  /* An error that the method records itself does not reach the caller of the invocation. */
  belay_invocation *call = belay_invocation_create(it.interface, "number");
  belay_fail(BELAY_EDEAD, "the caller's");
  CHECK_INT(belay_invocation_call(call, (belay_function)recording), 0);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EDEAD);
  CHECK(!belay_last_error());
  belay_invocation_release(call);
  belay_slot_release(slot);
  finish(&it);
}

/* ---- more calls from inside than there is room for ---- */
typedef struct flood {
  play *play;
  int heard;
} flood;
static void call_many(void *ctx, belay_value arguments) {
  flood *it = ctx;
  if (it->heard++ > 0) return;
  for (int i = 0; i < 1024; i++) CHECK_INT(it->play->table.small(NULL, 1), 1);
  CHECK(!belay_last_error());
  CHECK_INT(it->play->table.small(NULL, 2), 2);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EAGAIN);
}
static void what_is_not_told_is_recorded(void) {
  play it = begin();
  belay_slot *slot = slot_of(&it, "small");
  flood flood = {.play = &it};
  belay_observer observer = {.size = sizeof observer, .next = call_many, .ctx = &flood};
  belay_signal *sent = belay_slot_sent(slot);
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(sent, &observer, &subscription), 0);
  belay_signal_release(sent);
  CHECK_INT(it.table.small(NULL, 0), 0);
  CHECK_INT(flood.heard, 1025);
  end_subscription(subscription);
  belay_slot_release(slot);
  finish(&it);
}

/* ---- ends ---- */
static void is_gone(void *ctx) { ++*(int *)ctx; }

typedef struct suicide {
  belay_disposable *hook;
  play *play;
  int freed, code;
} suicide;
static void count_end(void *ctx) { ((suicide *)ctx)->freed++; }
static int end_itself(void *ctx, belay_invocation *call) {
  suicide *it = ctx;
  it->code = belay_disposable_dispose_sync(it->hook, -1);
  belay_last_error();
  CHECK_INT(it->freed, 0);
  trace("ended");
  int code = belay_invocation_proceed(call);
  CHECK_INT(it->freed, 0);
  return code;
}
static void a_hook_ends_itself(void) {
  play it = begin();
  belay_slot *slot = slot_of(&it, "number");
  suicide hook = {.play = &it};
  hook.hook = around(slot, end_itself, &hook, count_end);
  CHECK_INT(it.table.number(NULL, 5), 5);
  CHECK_TRACE("ended | number 5");
  CHECK_INT(hook.code, BELAY_EINPROGRESS);
  /* the context is freed when the hook has returned, though there is still a handle */
  CHECK_INT(hook.freed, 1);
  CHECK(it.table.number == do_number);
  CHECK_INT(it.table.number(NULL, 6), 6);
  CHECK_TRACE("number 6");
  belay_disposable_release(hook.hook);
  CHECK_INT(hook.freed, 1);
  belay_slot_release(slot);
  finish(&it);
}

static int end_the_table(void *ctx, belay_invocation *call) {
  suicide *it = ctx;
  CHECK_INT(belay_table_gone(&it->play->table), 0);
  CHECK_INT(it->freed, 0);
  trace("gone");
  CHECK_FAILS(belay_table_gone(&it->play->table), BELAY_ENOENT);
  return belay_invocation_proceed(call);
}
static void a_slot_ends_inside_its_own_call(void) {
  play it = begin();
  belay_slot *slot = slot_of(&it, "number");
  suicide hook = {.play = &it};
  CHECK_INT(belay_slot_around(slot, end_the_table, &hook, count_end, NULL), 0);
  belay_slot_release(slot); /* only the call keeps the slot */
  CHECK_INT(it.table.number(NULL, 5), 5);
  CHECK_TRACE("gone | number 5");
  CHECK_INT(hook.freed, 1);
  CHECK(it.table.number == do_number);
  belay_interface_release(it.interface);
}

static void contexts_are_freed_once(void) {
  play it = begin();
  int freed = 0;
  CHECK_FAILS(belay_slot_around(NULL, failing, &freed, is_gone, NULL), BELAY_EINVAL);
  belay_slot *slot = slot_of(&it, "number");
  CHECK_FAILS(belay_slot_around(slot, NULL, &freed, is_gone, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_slot_respond(slot, NULL, &freed, is_gone, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_slot_connect(slot, "v@d", (belay_function)do_number, &freed, is_gone, NULL),
              BELAY_EKIND);
  CHECK_FAILS(belay_slot_connect(slot, "v@[", (belay_function)do_number, &freed, is_gone, NULL),
              BELAY_EINVAL);
  CHECK_INT(freed, 5);
  belay_disposable *hook = NULL;
  CHECK_INT(belay_slot_connect(slot, "i@i", (belay_function)do_number, &freed, is_gone, &hook), 0);
  CHECK_INT(freed, 5);
  belay_disposable_dispose(hook);
  CHECK_INT(freed, 6);
  belay_disposable_dispose(hook);
  belay_disposable_release(hook);
  CHECK_INT(freed, 6);
  CHECK_INT(belay_slot_around(slot, failing, &freed, is_gone, NULL), 0);
  CHECK_INT(belay_slot_set_combiner(slot, NULL, &freed, is_gone), 0);
  CHECK_INT(freed, 7);
  belay_slot_release(slot);
  finish(&it);
  CHECK_INT(freed, 8);
}

/* Another thread waits until the hook has returned. */
typedef struct meeting {
  sem_t inside, go;
  belay_disposable *hook;
  int freed, freed_when_waited_for;
} meeting;
static void end_meeting(void *ctx) { ((meeting *)ctx)->freed++; }
static int wait_inside(void *ctx, belay_invocation *call) {
  meeting *it = ctx;
  sem_post(&it->inside);
  wait_for(&it->go);
  CHECK_INT(it->freed, 0);
  return belay_invocation_proceed(call);
}
static void end_from_elsewhere(void *ctx) {
  meeting *it = ctx;
  wait_for(&it->inside);
  CHECK_FAILS(belay_disposable_dispose_sync(it->hook, 0.01), BELAY_ETIMEDOUT);
  sem_post(&it->go);
  CHECK_INT(belay_disposable_dispose_sync(it->hook, -1), 0);
  it->freed_when_waited_for = it->freed;
}
static void a_hook_is_waited_for(void) {
  play it = begin();
  belay_slot *slot = slot_of(&it, "number");
  meeting meeting = {.freed = 0};
  sem_init(&meeting.inside, 0, 0), sem_init(&meeting.go, 0, 0);
  meeting.hook = around(slot, wait_inside, &meeting, end_meeting);
  routine other;
  start_thread(&other, end_from_elsewhere, &meeting);
  CHECK_INT(it.table.number(NULL, 5), 5);
  join_thread(&other);
  CHECK_INT(meeting.freed_when_waited_for, 1);
  CHECK_INT(meeting.freed, 1);
  CHECK_TRACE("number 5");
  belay_disposable_release(meeting.hook);
  sem_destroy(&meeting.inside), sem_destroy(&meeting.go);
  belay_slot_release(slot);
  finish(&it);
}

/* ---- protection ---- */
#if defined(__x86_64__) || defined(__aarch64__)
static void what_can_be_executed_stays_so(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *memory =
      mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#ifdef __x86_64__
  static const unsigned char code[] = {0xB8, 0x2A, 0, 0, 0, 0xC3}; /* return 42 */
#else
  static const uint32_t code[] = {0x52800540, 0xD65F03C0}; /* the same */
#endif
  ops *table = (ops *)memory;
  *table = full;
  memcpy(memory + 512, code, sizeof code);
  __builtin___clear_cache((char *)memory + 512, (char *)memory + 512 + sizeof code);
  if (mprotect(memory, page, PROT_READ | PROT_EXEC) != 0) {
    printf("skipped: nothing that was written can be executed here\n");
    munmap(memory, page);
    return;
  }
  int (*function)(void) = (int (*)(void))(belay_function)(uintptr_t)(memory + 512);
  play it = begin();
  belay_slot *slot =
      belay_slot_create_in_table(it.interface, table, "number", BELAY_SLOT_UNPROTECT);
  belay_disposable *hook = around(slot, failing, NULL, NULL);
  CHECK_INT(function(), 42);
  end_subscription(hook);
  CHECK_INT(function(), 42);
  CHECK(table->number == do_number);
  CHECK_INT(belay_table_gone(table), 0);
  belay_slot_release(slot);
  belay_interface_release(it.interface);
  munmap(memory, page);
}
#endif

static const test_case cases[] = {
    CASE(results_are_converted_and_fill_their_word),
    CASE(a_truth_that_is_neither_0_nor_1),
    CASE(strings_that_are_replaced_are_let_go),
    CASE(the_originals_pointer_is_the_answer),
    CASE(what_the_original_frees_is_not_read_after),
    CASE(an_invocation_is_kept_and_sent_again),
    CASE(failures_are_the_threads_that_calls),
    CASE(what_is_not_told_is_recorded),
    CASE(a_hook_ends_itself),
    CASE(a_slot_ends_inside_its_own_call),
    CASE(contexts_are_freed_once),
    CASE(a_hook_is_waited_for),
#if defined(__x86_64__) || defined(__aarch64__)
    CASE(what_can_be_executed_stays_so),
#endif
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
