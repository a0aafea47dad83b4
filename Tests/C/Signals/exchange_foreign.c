/* What another program may put into an exchange: functions that are missing, versions and values
   that this copy of the library does not know, errors without an end. */
#include "two_copies.h"

static void nonsense_is_refused(void) {
  belay_exchange exchange, wrong;
  belay_signal *subject = belay_subject_create(NULL);
  CHECK_FAILS(belay_signal_export(subject, NULL), BELAY_EINVAL);
  memset(&exchange, 1, sizeof exchange);
  CHECK_FAILS(belay_signal_export(NULL, &exchange), BELAY_EINVAL);
  CHECK(exchange.signal == NULL && exchange.release == NULL);
  belay_exchange_release(&exchange);
  belay_exchange_release(NULL);
  CHECK(belay_signal_import(NULL) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_signal_import(&exchange) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK_INT(belay_signal_export(subject, &exchange), 0);
  CHECK_INT(exchange.version, 1);
  wrong = exchange;
  wrong.version = 2;
  CHECK(other->take(&wrong) == NULL);
  wrong = exchange;
  wrong.subscribe = NULL;
  CHECK(other->take(&wrong) == NULL);
  wrong.version = 2;
  CHECK(belay_signal_import(&wrong) == NULL);
  check_last_error(BELAY_EINVAL);
  wrong = exchange;
  wrong.version = 2;
  CHECK(belay_signal_import(&wrong) == NULL);
  check_last_error(BELAY_ENOTSUP);
  belay_exchange_release(&exchange);
  belay_signal_release(subject);
}

static void count_release(void *ctx) { ++*(int *)ctx; }
static void no_value(void *ctx, const belay_exchange_value *value) { trace("next"); }
static void no_error(void *ctx, const belay_exchange_error *error) { trace("error"); }
static void no_end(void *ctx) { trace("completed"); }

static void an_observer_that_lacks_a_function_is_refused(void) {
  belay_exchange exchange;
  belay_signal *signal = belay_signal_just(belay_int32(1));
  CHECK_INT(belay_signal_export(signal, &exchange), 0);
  int released = 0;
  belay_exchange_subscription subscription;
  const belay_exchange_observer whole = {&released, no_value, no_error, no_end, count_release};
  for (int missing = 0; missing < 4; missing++) {
    belay_exchange_observer observer = whole;
    if (missing == 0) observer.next = NULL;
    if (missing == 1) observer.error = NULL;
    if (missing == 2) observer.completed = NULL;
    if (missing == 3) observer.released = NULL;
    CHECK_INT(exchange.subscribe(exchange.signal, &observer, &subscription), BELAY_EINVAL);
  }
  CHECK_INT(released, 3);
  CHECK_INT(exchange.subscribe(exchange.signal, &whole, NULL), BELAY_EINVAL);
  CHECK_INT(released, 4);
  CHECK_INT(exchange.subscribe(exchange.signal, NULL, &subscription), BELAY_EINVAL);
  CHECK_TRACE("");
  belay_exchange_release(&exchange);
  belay_signal_release(signal);
}

/* ---- a signal that no copy of the library has made ---- */

static const belay_exchange_value *sent;
static const belay_exchange_error *sent_error;
static int foreign_references;

static void retain_foreign(void *signal) { foreign_references++; }
static void release_foreign(void *signal) { foreign_references--; }
static const char *no_name(void *signal) { return NULL; }
static void no_disposal(void *object) {}
static int send_what_is_sent(void *signal, const belay_exchange_observer *observer,
                             belay_exchange_subscription *subscription) {
  *subscription = (belay_exchange_subscription){NULL, no_disposal, no_disposal};
  if (sent) observer->next(observer->ctx, sent);
  if (sent_error) observer->error(observer->ctx, sent_error);
  observer->released(observer->ctx);
  return 0;
}

static belay_exchange_subscription filled_in;
static belay_exchange_observer kept_observer;
static int fill_in(void *signal, const belay_exchange_observer *observer,
                   belay_exchange_subscription *subscription) {
  *subscription = filled_in;
  kept_observer = *observer;
  return 0;
}
static void a_subscription_that_lacks_a_function_is_refused(void) {
  int object = 0;
  belay_exchange_subscription whole = {&object, no_disposal, no_disposal};
  for (int lacks = 0; lacks < 3; lacks++) {
    filled_in = whole;
    if (lacks == 0) filled_in.object = NULL;
    if (lacks == 1) filled_in.dispose = NULL;
    if (lacks == 2) filled_in.release = NULL;
    belay_exchange exchange = {1,       &foreign_references, retain_foreign, release_foreign,
                               no_name, fill_in};
    belay_signal *signal = belay_signal_import(&exchange);
    watch_errors(signal);
    CHECK_TRACE("error EINVAL: invalid argument | disposed | free");
    kept_observer.completed(kept_observer.ctx); /* too late */
    kept_observer.released(kept_observer.ctx);
    CHECK_TRACE("");
    CHECK_INT(foreign_references, 0);
  }
}

static void comes_as(const belay_exchange_value *value, const belay_exchange_error *error,
                     const char *expected_trace) {
  sent = value;
  sent_error = error;
  belay_exchange exchange = {1,       &foreign_references, retain_foreign, release_foreign,
                             no_name, send_what_is_sent};
  belay_signal *signal = belay_signal_import(&exchange);
  CHECK(signal != NULL);
  watch_errors(signal);
  CHECK_TRACE(expected_trace);
  CHECK_INT(foreign_references, 0);
}

/* The same value, and the same as the one item of an array. */
static void is_wrong(belay_exchange_value value, const char *error) {
  char trace[200];
  snprintf(trace, sizeof trace, "error %s | disposed | free", error);
  comes_as(&value, NULL, trace);
  belay_exchange_value items[] = {
      {.kind = BELAY_KIND_STRING, .data = "ok", .size = 2}, value};
  comes_as(&(belay_exchange_value){.kind = BELAY_KIND_ARRAY, .data = items, .size = 2}, NULL, trace);
}

static void wrong_content_ends_the_subscription(void) {
  const uint32_t runs[] = {BELAY_KIND_STRING, BELAY_KIND_BYTES, BELAY_KIND_STRUCT, BELAY_KIND_ARRAY};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    is_wrong((belay_exchange_value){.kind = runs[i], .size = 1, .type = "point"},
             "EINVAL: invalid argument");
    is_wrong((belay_exchange_value){.kind = runs[i], .data = "x", .size = SIZE_MAX, .type = "point"},
             "EINVAL: invalid argument");
    is_wrong((belay_exchange_value){
                 .kind = runs[i], .data = "x", .size = (size_t)-8, .type = "point"},
             "EINVAL: invalid argument");
  }
  for (int shift = 1; shift < 8; shift++)
    is_wrong((belay_exchange_value){
                 .kind = BELAY_KIND_ARRAY, .data = "x", .size = (size_t)1 << (64 - shift)},
             "EINVAL: invalid argument");
  is_wrong((belay_exchange_value){.kind = BELAY_KIND_STRUCT, .data = "x", .size = 1},
           "EINVAL: invalid argument");
  is_wrong((belay_exchange_value){.kind = BELAY_KIND_ERROR}, "EINVAL: invalid argument");
  is_wrong((belay_exchange_value){.kind = BELAY_KIND_SIGNAL}, "EINVAL: invalid argument");
  is_wrong((belay_exchange_value){.kind = BELAY_KIND_STRING, .data = "a\xff", .size = 2},
           "EILSEQ: not UTF-8");
  is_wrong((belay_exchange_value){.kind = 0xffffffff},
           "EKIND: a value of a kind that this copy of the library does not know");
}

static void an_error_that_another_program_describes_arrives(void) {
  belay_exchange_value wrong = {.kind = BELAY_KIND_STRING, .size = 1};
  belay_exchange_error error = {.code = BELAY_EPERM, .payload = &wrong};
  error.cause = &error; /* without an end */
  comes_as(NULL, &error, "error EPERM: not permitted | disposed | free");
  comes_as(&(belay_exchange_value){.kind = BELAY_KIND_STRING}, &error,
           "next  | error EPERM: not permitted | disposed | free");
}

static const test_case cases[] = {
    CASE(nonsense_is_refused),
    CASE(an_observer_that_lacks_a_function_is_refused),
    CASE(a_subscription_that_lacks_a_function_is_refused),
    CASE(wrong_content_ends_the_subscription),
    CASE(an_error_that_another_program_describes_arrives),
};

int main(int argc, char **argv) { return load_other_copy() ? 1 : RUN_CASES(cases); }
