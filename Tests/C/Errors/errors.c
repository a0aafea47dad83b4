/* Codes, error objects, and callbacks that fail. The thread's last error: errors_last.c. */
#include <limits.h>
#include <uv.h>

#include "cases.h"

static const struct { int code; const char *name; } codes[] = {
    {BELAY_EINVAL, "EINVAL"},         {BELAY_EAGAIN, "EAGAIN"},
    {BELAY_EBUSY, "EBUSY"},           {BELAY_ECANCELED, "ECANCELED"},
    {BELAY_EDEADLK, "EDEADLK"},       {BELAY_EILSEQ, "EILSEQ"},
    {BELAY_EINPROGRESS, "EINPROGRESS"}, {BELAY_ENOENT, "ENOENT"},
    {BELAY_ERANGE, "ERANGE"},         {BELAY_ETIMEDOUT, "ETIMEDOUT"},
    {BELAY_ENOHOME, "ENOHOME"},       {BELAY_EWRONGTHREAD, "EWRONGTHREAD"},
    {BELAY_EKIND, "EKIND"},           {BELAY_EENDED, "EENDED"},
    {BELAY_EDISPOSED, "EDISPOSED"},   {BELAY_EASSIGNED, "EASSIGNED"},
    {BELAY_EREENTRANT, "EREENTRANT"}, {BELAY_EDEAD, "EDEAD"},
    {BELAY_ECLOSED, "ECLOSED"},       {BELAY_ERELEASED, "ERELEASED"},
    {BELAY_EBOUND, "EBOUND"},
};
enum { CODES = sizeof codes / sizeof *codes };

/* ---- codes ---- */

static void every_code_has_a_name_and_a_text(void) {
  for (int i = 0; i < CODES; i++) {
    CHECK(codes[i].code < 0);
    CHECK_STRING(belay_error_name(codes[i].code), codes[i].name);
    CHECK(strlen(belay_error_text(codes[i].code)) > 3);
    for (int j = 0; j < i; j++) {
      CHECK(codes[i].code != codes[j].code);
      CHECK(strcmp(belay_error_text(codes[i].code), belay_error_text(codes[j].code)) != 0);
    }
  }
}

static void names_are_static(void) {
  const char *name = belay_error_name(BELAY_EKIND), *text = belay_error_text(BELAY_EKIND);
  for (int i = 0; i < CODES; i++) belay_error_text(codes[i].code);
  CHECK(belay_error_name(BELAY_EKIND) == name && belay_error_text(BELAY_EKIND) == text);
}

static void every_code_of_libuv_has_its_name(void) {
#define KNOWN(code, text)                                 \
  if (UV_##code != UV_UNKNOWN) {                          \
    CHECK_STRING(belay_error_name(UV_##code), #code);     \
    CHECK(strcmp(belay_error_text(UV_##code), "unknown error") != 0); \
  }
  UV_ERRNO_MAP(KNOWN)
#undef KNOWN
}

static void codes_of_libuv_pass_unchanged(void) {
  CHECK_STRING(belay_error_name(-EACCES), "EACCES");
  CHECK_STRING(belay_error_name(-EPIPE), "EPIPE");
  CHECK_STRING(belay_error_name(-4095), "EOF"); /* UV_EOF */
  CHECK(strlen(belay_error_text(-EACCES)) > 3);
  CHECK_INT(belay_fail(-EACCES, NULL), -EACCES);
  CHECK_STRING(belay_error_message(belay_last_error()), belay_error_text(-EACCES));
}

static void numbers_that_are_no_codes(void) {
  static const int none[] = {-20012, -19999, -1000000, INT_MIN, 2, 77, INT_MAX};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    CHECK_STRING(belay_error_name(none[i]), "UNKNOWN");
    CHECK(belay_error_text(none[i]) && *belay_error_text(none[i]));
  }
  CHECK(belay_error_name(BELAY_OK) && belay_error_name(BELAY_QUEUED));
  CHECK(!belay_last_error());
}

/* ---- error objects ---- */

static void an_error_has_its_parts(void) {
  char domain[] = "weather", message[] = "it rains";
  belay_error *error = belay_error_create(-5, domain, message, belay_string("wet"), NULL);
  memset(domain, 'x', sizeof domain - 1);
  memset(message, 'x', sizeof message - 1);
  CHECK_INT(belay_error_code(error), -5);
  CHECK_STRING(belay_error_domain(error), "weather");
  CHECK_STRING(belay_error_message(error), "it rains");
  belay_view view = {NULL, 0};
  CHECK_INT(belay_value_get_string(belay_error_payload(error), &view), 0);
  CHECK_STRING(view.data, "wet");
  CHECK(belay_error_cause(error) == NULL);
  CHECK(belay_error_message(error) == belay_error_message(error));
  belay_error_release(error);
}

static void parts_have_defaults(void) {
  belay_error *error = belay_error_create(BELAY_EKIND, NULL, NULL, belay_null(), NULL);
  CHECK_STRING(belay_error_domain(error), "belay");
  CHECK_STRING(belay_error_message(error), belay_error_text(BELAY_EKIND));
  CHECK_INT(belay_value_kind(belay_error_payload(error)), BELAY_KIND_NULL);
  belay_error_release(error);
  error = belay_error_create(-9999999, NULL, NULL, belay_null(), NULL);
  CHECK_STRING(belay_error_message(error), belay_error_text(-9999999));
  belay_error_release(error);
  error = belay_error_create(BELAY_EKIND, "", "", belay_null(), NULL);
  CHECK_STRING(belay_error_domain(error), "");
  CHECK_STRING(belay_error_message(error), "");
  belay_error_release(error);
}

static void a_code_that_is_not_negative_becomes_einval(void) {
  static const int odd[] = {0, 1, 22, INT_MAX};
  for (int i = 0; i < 4; i++) {
    belay_error *error = belay_error_create(odd[i], NULL, NULL, belay_null(), NULL);
    CHECK_INT(belay_error_code(error), BELAY_EINVAL);
    belay_error_release(error);
  }
  belay_error *error = belay_error_create(INT_MIN, NULL, NULL, belay_null(), NULL);
  CHECK_INT(belay_error_code(error), INT_MIN);
  belay_error_release(error);
}

static void parts_of_no_error(void) {
  CHECK_INT(belay_error_code(NULL), 0);
  CHECK_STRING(belay_error_domain(NULL), "");
  CHECK_STRING(belay_error_message(NULL), "");
  CHECK_INT(belay_value_kind(belay_error_payload(NULL)), BELAY_KIND_NULL);
  CHECK(belay_error_cause(NULL) == NULL);
  CHECK(belay_error_retain(NULL) == NULL);
  belay_error_release(NULL);
  CHECK(!belay_last_error());
}

static void causes_make_a_chain(void) {
  size_t before = belay_live_count(BELAY_LIVE_ERRORS);
  belay_error *outer = NULL;
  for (int i = 1; i <= 1000; i++) {
    belay_error *error = belay_error_create(-i, NULL, NULL, belay_null(), outer);
    belay_error_release(outer); /* the new one keeps it */
    outer = error;
  }
  CHECK_INT(belay_live_count(BELAY_LIVE_ERRORS), before + 1000);
  int expected = -1000;
  for (const belay_error *e = outer; e; e = belay_error_cause(e))
    CHECK_INT(belay_error_code(e), expected++);
  CHECK_INT(expected, 0);
  const belay_error *inner = belay_error_retain(belay_error_cause(outer));
  belay_error_release(outer);
  CHECK_INT(belay_error_code(inner), -999);
  CHECK_INT(belay_live_count(BELAY_LIVE_ERRORS), before + 999);
  belay_error_release(inner);
  CHECK_INT(belay_live_count(BELAY_LIVE_ERRORS), before);
}

static void retain_gives_the_same_error(void) {
  belay_error *error = belay_error_create(-5, NULL, NULL, belay_null(), NULL);
  belay_error *again = belay_error_retain(error);
  CHECK(again == error);
  belay_error_release(error);
  CHECK_INT(belay_error_code(again), -5);
  belay_error_release(again);
}

/* An error event carries the object itself. The signal keeps its own reference. */
static const belay_error *seen;
static void see(void *ctx, const belay_error *error) {
  (void)ctx;
  seen = belay_error_retain(error);
}
static void an_error_event_carries_the_object(void) {
  belay_error *cause = belay_error_create(-6, "disk", "full", belay_null(), NULL);
  belay_error *error = belay_error_create(-5, "log", "lost", belay_int32(7), cause);
  belay_signal *signal = belay_signal_error(error);
  belay_error_release(error);
  belay_error_release(cause);
  belay_observer observer = {.size = sizeof observer, .error = see};
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK(seen == error);
  CHECK_STRING(belay_error_message(seen), "lost");
  CHECK(belay_value_equal(belay_error_payload(seen), belay_int32(7)));
  CHECK_STRING(belay_error_domain(belay_error_cause(seen)), "disk");
  belay_error_release(seen);
}

/* ---- a callback that fails ---- */

static int refuse(void *ctx, belay_value value) {
  (void)value;
  return belay_fail(BELAY_ERANGE, ctx);
}
static belay_error *error_of(belay_value value) {
  return belay_error_create(BELAY_ERANGE, "dates", "no date", value, NULL);
}
static void release_error(void *error) { belay_error_release(error); }

static void belay_fail_records_and_returns(void) {
  char message[] = "no date";
  CHECK_INT(belay_fail(BELAY_ENOENT, message), BELAY_ENOENT);
  message[0] = 'x';
  const belay_error *error = belay_last_error();
  CHECK_INT(belay_error_code(error), BELAY_ENOENT);
  CHECK_STRING(belay_error_message(error), "no date");
  CHECK_INT(belay_fail(0, NULL), BELAY_EINVAL);
  CHECK_INT(last_code(), BELAY_EINVAL);
  CHECK_INT(belay_fail(7, "positive"), BELAY_EINVAL);
  CHECK_INT(last_code(), BELAY_EINVAL);
  CHECK_INT(belay_fail(INT_MIN, NULL), INT_MIN);
  CHECK_INT(last_code(), INT_MIN);
}

static int refuse_with(void *error, belay_value value) { return belay_fail_with(error); }
static belay_value fail_with(void *error, belay_value value) {
  return belay_value_failure_with(error);
}
static void a_callback_fails_with_an_error_of_its_own(void) {
  belay_op *const ops[] = {
      belay_op_filter(refuse_with, error_of(belay_int32(7)), release_error),
      belay_op_map(fail_with, error_of(belay_int32(7)), release_error)};
  for (int i = 0; i < 2; i++) {
    belay_signal *chain = belay_signal_chain(belay_signal_just(belay_int32(1)), ops[i]);
    belay_observer observer = {.size = sizeof observer, .error = see};
    CHECK_INT(belay_signal_subscribe(chain, &observer, NULL), 0);
    int32_t carried = 0;
    CHECK_INT(belay_error_code(seen), BELAY_ERANGE);
    CHECK_STRING(belay_error_domain(seen), "dates");
    CHECK_INT(belay_value_get_int32(belay_error_payload(seen), &carried), 0);
    CHECK_INT(carried, 7);
    CHECK(!belay_last_error());
    belay_error_release(seen);
    belay_signal_release(chain);
  }
}

static void belay_fail_with_records_and_returns(void) {
  belay_error *error = error_of(belay_string("kept"));
  CHECK_INT(belay_fail_with(error), BELAY_ERANGE);
  CHECK(belay_last_error() == error);
  CHECK_INT(belay_fail_with(NULL), BELAY_EINVAL);
  CHECK_INT(last_code(), BELAY_EINVAL);
  belay_error_release(error);
}

static void fail_and_go_on(void *ctx, belay_value value) {
  belay_fail(BELAY_ENOENT, "on purpose");
  fail_range();
  CHECK_INT(belay_subject_next(NULL, belay_null()), BELAY_EINVAL);
}
static void what_a_callback_fails_with_is_not_replaced(void) {
  belay_signal *just = belay_signal_just(belay_int32(1));
  belay_observer observer = BELAY_INIT(belay_observer, .next = fail_and_go_on, .error = see);
  CHECK_INT(belay_signal_subscribe(just, &observer, NULL), 0);
  CHECK_INT(belay_error_code(seen), BELAY_ENOENT);
  CHECK_STRING(belay_error_message(seen), "on purpose");
  belay_error_release(seen);
  belay_signal_release(just);
}

static void belay_fail_becomes_the_error_event(void) {
  belay_signal *chain = belay_signal_chain(belay_signal_just(belay_int32(1)),
                                           belay_op_filter(refuse, "no date", NULL));
  belay_observer observer = {.size = sizeof observer, .error = see};
  CHECK_INT(belay_signal_subscribe(chain, &observer, NULL), 0);
  CHECK_INT(belay_error_code(seen), BELAY_ERANGE);
  CHECK_STRING(belay_error_message(seen), "no date");
  CHECK(!belay_last_error());
  belay_error_release(seen);
  belay_signal_release(chain);
}

static const test_case cases[] = {
    CASE(every_code_has_a_name_and_a_text),
    CASE(names_are_static),
    CASE(every_code_of_libuv_has_its_name),
    CASE(codes_of_libuv_pass_unchanged),
    CASE(numbers_that_are_no_codes),
    CASE(an_error_has_its_parts),
    CASE(parts_have_defaults),
    CASE(a_code_that_is_not_negative_becomes_einval),
    CASE(parts_of_no_error),
    CASE(causes_make_a_chain),
    CASE(retain_gives_the_same_error),
    CASE(an_error_event_carries_the_object),
    CASE(belay_fail_records_and_returns),
    CASE(belay_fail_with_records_and_returns),
    CASE(what_a_callback_fails_with_is_not_replaced),
    CASE(belay_fail_becomes_the_error_event),
    CASE(a_callback_fails_with_an_error_of_its_own),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
