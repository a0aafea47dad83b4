/* Drawings of runs: recorded ones, diagrams, and marks that somebody noted. */
#include <belay/testing.h>
#include "cases.h"

#include <sched.h>
#include <stdatomic.h>

static char text[1 << 16];

static const char *drawn(belay_drawing *drawing) {
  size_t size = belay_drawing_text(drawing, text, sizeof text);
  CHECK_INT(strlen(text), size);
  return text;
}

/* The drawing as SVG, to be freed. */
static char *picture(belay_drawing *drawing) {
  size_t size = belay_drawing_svg(drawing, NULL, 0) + 1;
  char *svg = malloc(size);
  CHECK(svg != NULL);
  CHECK_INT(belay_drawing_svg(drawing, svg, size), size - 1);
  CHECK_INT(strlen(svg), size - 1);
  return svg;
}

static belay_drawing *new_drawing(void) {
  belay_drawing *drawing = belay_drawing_create(0.001);
  CHECK(drawing != NULL);
  return drawing;
}

static int occurrences(const char *text, const char *wanted) {
  /* Not strstr(): under a sanitizer each call reads the text to its end. */
  size_t length = strlen(wanted);
  int count = 0;
  for (const char *end = text + strlen(text); text + length <= end; text++)
    count += *text == *wanted && memcmp(text, wanted, length) == 0;
  return count;
}

/* Every element that is opened is closed, and nothing in between is a quote or an ampersand of its
   own. Enough of XML for what is drawn. */
static void check_xml(const char *svg) {
  int depth = 0;
  CHECK(strncmp(svg, "<svg ", 5) == 0);
  for (const char *at = svg; *at; at++) {
    if (*at == '<' && at[1] == '/') depth--;
    else if (*at == '<') depth++;
    if (*at == '/' && at[1] == '>') depth--;
    if (*at == '&')
      CHECK(!strncmp(at, "&amp;", 5) || !strncmp(at, "&lt;", 4) || !strncmp(at, "&gt;", 4) ||
            !strncmp(at, "&quot;", 6) || !strncmp(at, "&#39;", 5));
    CHECK((unsigned char)*at >= 0x20 || *at == '\n');
  }
  CHECK_INT(depth, 0);
}

static void check_picture(belay_drawing *drawing) {
  char *svg = picture(drawing);
  check_xml(svg);
  free(svg);
}

/* ---- text ---- */

static void an_empty_drawing(void) {
  belay_drawing *drawing = new_drawing();
  CHECK_STRING(drawn(drawing), "1ms\n");
  check_picture(drawing);
  CHECK_INT(belay_drawing_row(drawing, "a"), 0);
  CHECK_STRING(drawn(drawing), "1ms\na    -\n");
  check_picture(drawing);
  belay_drawing_release(drawing);
}

static void diagrams_and_a_box(void) {
  belay_drawing *drawing = new_drawing();
  CHECK_INT(belay_drawing_diagram(drawing, "a", "--1--2--|"), 0);
  CHECK_INT(belay_drawing_diagram(drawing, "other", "---x--#"), 0);
  CHECK_INT(belay_drawing_box(drawing, "merge"), 0);
  CHECK_INT(belay_drawing_define(drawing, 'x', "ten"), 0);
  CHECK_INT(belay_drawing_diagram(drawing, "", "--1(x2)#"), 0);
  CHECK_STRING(drawn(drawing),
               "1ms      2        5 7\n"
               "a      --1--------2--|\n"
               "other  ---x--------#\n"
               "       [ merge ]\n"
               "       --1({ten}2)--#\n");
  check_picture(drawing);
  belay_drawing_release(drawing);
}

static void marks_that_somebody_noted(void) {
  belay_drawing *drawing = belay_drawing_create(0.5);
  CHECK_INT(belay_drawing_row(drawing, "log"), 0);
  CHECK_INT(belay_drawing_mark(drawing, BELAY_MARK_SUBSCRIBED, 0.5, NULL), 0);
  CHECK_INT(belay_drawing_mark(drawing, BELAY_MARK_NEXT, 1, "a"), 0);
  CHECK_INT(belay_drawing_mark(drawing, BELAY_MARK_NEXT, 1, NULL), 0);
  CHECK_INT(belay_drawing_mark(drawing, BELAY_MARK_NEXT, 0, "late"), 0);
  CHECK_INT(belay_drawing_mark(drawing, BELAY_MARK_ERROR, 3, "no \"more\""), 0);
  CHECK_INT(belay_drawing_mark(drawing, BELAY_MARK_UNSUBSCRIBED, 3, NULL), 0);
  CHECK_STRING(drawn(drawing),
               "500ms   1           6\n"
               "log    --(a{}{late})#  # = no \"more\"\n"
               "       -^-----------!\n");
  check_picture(drawing);
  belay_drawing_release(drawing);
}

static void a_long_silence_is_cut(void) {
  belay_drawing *drawing = new_drawing();
  CHECK_INT(belay_drawing_diagram(drawing, "a", "1 10s 2 1m |"), 0);
  CHECK_STRING(drawn(drawing),
               "1ms  0                             10001                         70002\n"
               "a    1-----------------------------2-----------------------------|\n");
  belay_drawing_release(drawing);
}

/* ---- labels ---- */

static void labels_are_escaped(void) {
  belay_drawing *drawing = new_drawing();
  CHECK_INT(belay_drawing_row(drawing, "<a & 'b'>"), 0);
  CHECK_INT(belay_drawing_mark(drawing, BELAY_MARK_NEXT, 0, "<&\""), 0);
  CHECK_INT(belay_drawing_mark(drawing, BELAY_MARK_ERROR, 0.001, "</text><script>"), 0);
  CHECK_INT(belay_drawing_box(drawing, "map \"x < y\""), 0);
  CHECK_STRING(drawn(drawing),
               "1ms        0    1\n"
               "<a & 'b'>  {<&\"}#  # = </text><script>\n"
               "           [ map \"x < y\" ]\n");
  char *svg = picture(drawing);
  check_xml(svg);
  CHECK(strstr(svg, ">&lt;a &amp; &#39;b&#39;&gt;</text>") != NULL);
  CHECK(strstr(svg, ">&lt;&amp;&quot;</text>") != NULL);
  CHECK(strstr(svg, ">&lt;/text&gt;&lt;script&gt;</text>") != NULL);
  CHECK(strstr(svg, ">map &quot;x &lt; y&quot;</text>") != NULL);
  free(svg);
  belay_drawing_release(drawing);
}

static void labels_that_no_picture_can_have(void) {
  belay_drawing *drawing = new_drawing();
  CHECK_INT(belay_drawing_row(drawing, "tab\there"), 0);
  CHECK_INT(belay_drawing_mark(drawing, BELAY_MARK_NEXT, 0, "\x01\x1f\x7f"), 0);
  CHECK_INT(belay_drawing_mark(drawing, BELAY_MARK_NEXT, 0, "\xef\xbf\xbe|\xef\xbf\xbf|\xef\xbf\xbd"),
            0);
  CHECK_INT(belay_drawing_mark(drawing, BELAY_MARK_NEXT, 0, "\xc2\x80|\xc2\x9f|\xc2\xa0"), 0);
  CHECK_INT(belay_drawing_mark(drawing, BELAY_MARK_NEXT, 0, "\xc3\xa9"), 0);
  CHECK_INT(belay_drawing_mark(drawing, BELAY_MARK_NEXT, 0,
                               "12345678901234567890123456789012345"), 0);
  CHECK_STRING(drawn(drawing),
               "1ms       0\n"
               "tab?here  ({\?\?\?}{?|?|\xef\xbf\xbd}{?|?|\xc2\xa0}\xc3\xa9{12345678901234567890123456789012\xe2\x80\xa6})\n");
  check_picture(drawing);
  CHECK_FAILS(belay_drawing_row(drawing, "\xff"), BELAY_EILSEQ);
  CHECK_FAILS(belay_drawing_mark(drawing, BELAY_MARK_NEXT, 0, "\xc3"), BELAY_EILSEQ);
  belay_drawing_release(drawing);
}

/* ---- pictures ---- */

static void what_a_picture_shows(void) {
  belay_drawing *drawing = new_drawing();
  CHECK_INT(belay_drawing_diagram(drawing, "a", "^-1-(23|)"), 0);
  CHECK_INT(belay_drawing_box(drawing, "op"), 0);
  CHECK_INT(belay_drawing_diagram(drawing, "b", "----#"), 0);
  char *svg = picture(drawing);
  check_xml(svg);
  CHECK_INT(occurrences(svg, "rx='13' fill='#fff'/>"), 3);          /* values */
  CHECK_INT(occurrences(svg, "width='90' height='34' rx='17'"), 1); /* the group of three */
  CHECK_INT(occurrences(svg, "v30' stroke-width='2'/>"), 1);        /* completed */
  CHECK_INT(occurrences(svg, "stroke='#b00'"), 1);                  /* error */
  CHECK_INT(occurrences(svg, "stroke-dasharray"), 1);               /* the subscription */
  CHECK_INT(occurrences(svg, "fill='#eef'"), 1);                    /* the box */
  /* The moments of both lines are on one axis. */
  CHECK_INT(occurrences(svg, "<text x='188' y='20'"), 1);
  CHECK_INT(occurrences(svg, "<path d='M180 "), 1);
  free(svg);
  belay_drawing_release(drawing);
}

static void a_long_run(void) {
  belay_drawing *drawing = new_drawing();
  CHECK_INT(belay_drawing_row(drawing, "many"), 0);
  for (int i = 0; i < 100000; i++)
    CHECK_INT(belay_drawing_mark(drawing, BELAY_MARK_NEXT, i * 0.001, "x"), 0);
  CHECK(belay_drawing_text(drawing, NULL, 0) > 200000);
  char *svg = picture(drawing);
  CHECK_INT(occurrences(svg, "rx='13'"), 100000);
  free(svg);
  for (int i = 0; i < 50000; i++) CHECK_INT(belay_drawing_row(drawing, NULL), 0);
  belay_drawing_release(drawing);
}

/* ---- recorded runs ---- */

static void a_recorded_run(void) {
  belay_marbles *marbles = belay_marbles_create();
  belay_scheduler *time = belay_marbles_get_scheduler(marbles);
  belay_drawing *drawing = new_drawing();
  belay_signal *typed = belay_marbles_cold(marbles, "--a--b-|");
  belay_signal *keys = belay_drawing_record(drawing, time, typed, "keys");
  CHECK_INT(belay_drawing_box(drawing, "debounce 2ms"), 0);
  belay_signal *calm = belay_drawing_record(
      drawing, time, belay_signal_chain(keys, belay_op_debounce(time, 0.002)), "calm");
  CHECK_INT(belay_marbles_expect(marbles, calm, NULL, "----a--(b|)"), 0);
  CHECK_INT(belay_marbles_run(marbles), 0);
  CHECK_STRING(drawn(drawing),
               "1ms   0 2 4  7\n"
               "keys  --a--b-|\n"
               "      ^------!\n"
               "      [ debounce 2ms ]\n"
               "calm  ----a--(b|)\n"
               "      ^------!\n");
  belay_marbles_release(marbles);
  check_picture(drawing);
  belay_drawing_release(drawing);
}

static void each_subscription_has_a_line(void) {
  belay_marbles *marbles = belay_marbles_create();
  belay_drawing *drawing = new_drawing();
  belay_signal *source = belay_drawing_record(drawing, belay_marbles_get_scheduler(marbles),
                                              belay_marbles_cold(marbles, "-x#"), "source");
  CHECK_INT(belay_marbles_expect(marbles, belay_signal_chain(source, belay_op_retry(2)), NULL,
                                 "-x-x#"), 0);
  CHECK_INT(belay_marbles_run(marbles), 0);
  CHECK_INT(belay_drawing_row(drawing, "after"), 0);
  drawn(drawing);
  CHECK_INT(occurrences(text, "\nsource  "), 2);
  CHECK_INT(occurrences(text, "-x"), 2);
  CHECK_INT(occurrences(text, "#  # = marble\n"), 2);
  CHECK_INT(occurrences(text, "^"), 2);
  CHECK_INT(occurrences(text, "!"), 2);
  CHECK(strstr(text, "after") > strstr(text, "!"));
  belay_marbles_release(marbles);
  check_picture(drawing);
  belay_drawing_release(drawing);
}

/* ---- two threads subscribe to one signal at once ---- */
enum { MEETINGS = 2000 };
static _Atomic(belay_signal *) offered;
static atomic_int subscribed_elsewhere;
static void subscribe_to_what_is_offered(void *ignored) {
  for (int i = 0; i < MEETINGS; i++) {
    belay_signal *signal;
    while (!(signal = atomic_exchange(&offered, NULL))) sched_yield();
    CHECK_INT(belay_signal_subscribe(signal, &BELAY_INIT(belay_observer), NULL), 0);
    subscribed_elsewhere++;
  }
}
static void each_subscription_of_two_threads_has_a_line(void) {
  routine other;
  subscribed_elsewhere = 0;
  start_thread(&other, subscribe_to_what_is_offered, NULL);
  for (int i = 0; i < MEETINGS; i++) {
    belay_drawing *drawing = new_drawing();
    belay_signal *signal = belay_drawing_record(drawing, belay_scheduler_immediate(),
                                                belay_signal_just(belay_int32(1)), "x");
    offered = signal;
    CHECK_INT(belay_signal_subscribe(signal, &BELAY_INIT(belay_observer), NULL), 0);
    while (subscribed_elsewhere == i) sched_yield();
    drawn(drawing);
    CHECK_INT(occurrences(text, "\nx "), 2);
    CHECK_INT(occurrences(text, "^"), 2);
    belay_signal_release(signal);
    belay_drawing_release(drawing);
  }
  join_thread(&other);
}

static void a_recording_outlives_its_handles(void) {
  belay_loop *loop = open_loop();
  belay_drawing *drawing = new_drawing();
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *recorded = belay_drawing_record(drawing, belay_loop_get_scheduler(loop),
                                                belay_signal_retain(subject), "s");
  belay_drawing_release(drawing);
  watch(recorded, "");
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  belay_signal_release(subject);
  CHECK_TRACE("next 1 | disposed | free");
  close_loop(loop);
}

/* ---- nonsense ---- */

static void what_is_refused(void) {
  belay_drawing *drawing = new_drawing();
  CHECK(belay_drawing_create(0) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_drawing_create(-1) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_drawing_create(0.0 / 0.0) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_drawing_create(1e-10) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK_FAILS(belay_drawing_mark(drawing, BELAY_MARK_NEXT, 0, "a"), BELAY_ENOENT);
  CHECK_INT(belay_drawing_box(drawing, "no line"), 0);
  CHECK_FAILS(belay_drawing_mark(drawing, BELAY_MARK_NEXT, 0, "a"), BELAY_ENOENT);
  CHECK_INT(belay_drawing_row(drawing, "a"), 0);
  CHECK_FAILS(belay_drawing_mark(drawing, (belay_mark)5, 0, "a"), BELAY_EINVAL);
  CHECK_FAILS(belay_drawing_mark(drawing, (belay_mark)256, 0, "a"), BELAY_EINVAL);
  CHECK_FAILS(belay_drawing_mark(drawing, BELAY_MARK_NEXT, -1, "a"), BELAY_EINVAL);
  CHECK_FAILS(belay_drawing_mark(drawing, BELAY_MARK_NEXT, 0.0 / 0.0, "a"), BELAY_EINVAL);
  CHECK_INT(belay_drawing_mark(drawing, BELAY_MARK_NEXT, 1e300, "a"), 0);
  CHECK_FAILS(belay_drawing_diagram(drawing, "a", NULL), BELAY_EINVAL);
  CHECK_INT(belay_drawing_diagram(drawing, "b", "(a"), BELAY_EINVAL);
  CHECK(strstr(belay_error_message(belay_last_error()), "group without an end") != NULL);
  size_t size = belay_drawing_text(drawing, NULL, 0);
  const char *malformed[] = {"a|b", "(|a)", "#|", "|!", "|^", "!^", "--!---^", "^^", "^-!-!"};
  for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
    CHECK_FAILS(belay_drawing_diagram(drawing, "b", malformed[i]), BELAY_EINVAL);
  CHECK_INT(belay_drawing_text(drawing, NULL, 0), size);
  CHECK_FAILS(belay_drawing_define(drawing, '-', "a"), BELAY_EINVAL);
  CHECK_FAILS(belay_drawing_row(NULL, "a"), BELAY_EINVAL);
  CHECK_FAILS(belay_drawing_box(NULL, "a"), BELAY_EINVAL);
  CHECK_FAILS(belay_drawing_mark(NULL, BELAY_MARK_NEXT, 0, "a"), BELAY_EINVAL);
  CHECK_FAILS(belay_drawing_diagram(NULL, "a", "-"), BELAY_EINVAL);
  CHECK_FAILS(belay_drawing_define(NULL, 'a', "a"), BELAY_EINVAL);
  CHECK(belay_drawing_record(drawing, NULL, belay_signal_never(), "a") == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_drawing_record(NULL, belay_scheduler_immediate(), belay_signal_never(), "a") == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_drawing_record(drawing, belay_scheduler_immediate(), NULL, "a") == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_drawing_record(drawing, belay_scheduler_immediate(), belay_signal_never(), "\xff") ==
        NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EILSEQ);
  check_picture(drawing);
  char small[5] = "....";
  CHECK(belay_drawing_text(drawing, small, sizeof small) > 5);
  CHECK_INT(strlen(small), 4);
  CHECK_INT(belay_drawing_text(NULL, small, sizeof small), 0);
  CHECK_STRING(small, "");
  CHECK_INT(belay_drawing_svg(NULL, NULL, 9), 0);
  belay_drawing_release(belay_drawing_retain(drawing));
  belay_drawing_release(drawing);
  belay_drawing_release(NULL);
}

/* A time that no 64 bits of nanoseconds hold, or a sum of such times, is refused wherever a diagram
   is read. */
static void times_that_are_too_long(void) {
  static const char *const diagrams[] = {
      "9999999999m", "1000000000m", "9999999999s", "99999999999999999999s", "0.0000000000000000000s",
      ("999999999s 999999999s 999999999s 999999999s 999999999s 999999999s 999999999s 999999999s "
       "999999999s 999999999s a")};
  for (size_t i = 0; i < sizeof diagrams / sizeof *diagrams; i++) {
    const char *diagram = diagrams[i];
    belay_marbles *test = belay_marbles_create();
    belay_drawing *drawing = belay_drawing_create(0.001);
    belay_signal *source = belay_marbles_cold(test, "a|");
    CHECK(belay_marbles_cold(test, diagram) == NULL);
    CHECK(strstr(belay_error_message(belay_last_error()), "too long") != NULL);
    CHECK(belay_marbles_hot(test, diagram) == NULL);
    CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
    CHECK_FAILS(belay_marbles_expect(test, belay_signal_retain(source), "", diagram), BELAY_EINVAL);
    CHECK_FAILS(belay_marbles_expect(test, belay_signal_retain(source), diagram, "a|"),
                BELAY_EINVAL);
    CHECK_FAILS(belay_marbles_expect_subscriptions(test, source, &diagram, 1), BELAY_EINVAL);
    CHECK_FAILS(belay_drawing_diagram(drawing, "a", diagram), BELAY_EINVAL);
    belay_signal_release(source);
    belay_drawing_release(drawing);
    belay_marbles_release(test);
  }
}

static void long_times_that_there_are(void) {
  belay_marbles *test = belay_marbles_create();
  belay_signal *hot = belay_marbles_hot(test, "100000000s ^ 1.5s a 0.25m b");
  CHECK(hot != NULL);
  CHECK_INT(belay_marbles_expect(test, hot, "", "- 1.5s a 15000ms b"), 0);
  CHECK_INT(belay_marbles_run(test), 0);
  belay_marbles_release(test);
}

static const test_case cases[] = {
    CASE(times_that_are_too_long),
    CASE(long_times_that_there_are),
    CASE(an_empty_drawing),
    CASE(diagrams_and_a_box),
    CASE(marks_that_somebody_noted),
    CASE(a_long_silence_is_cut),
    CASE(labels_are_escaped),
    CASE(labels_that_no_picture_can_have),
    CASE(what_a_picture_shows),
    CASE(a_long_run),
    CASE(a_recorded_run),
    CASE(each_subscription_has_a_line),
    CASE(each_subscription_of_two_threads_has_a_line),
    CASE(a_recording_outlives_its_handles),
    CASE(what_is_refused),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
