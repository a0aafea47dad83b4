/* Runs the cases of Tests/Marbles through the C API; the Swift tests run the same ones. See
   CONTRIBUTING.md for how a case is written. Usage: test_marbles [part of a file's name] */
#include <belay/testing.h>
#include "marbles.h"

#include <ctype.h>
#include <glob.h>

#define FAMILY(name) extern const marble_operation name##_operations[]
FAMILY(aggregating);
FAMILY(chains);
FAMILY(combining);
FAMILY(creating);
FAMILY(effects);
FAMILY(filtering);
FAMILY(flattening);
FAMILY(joins);
FAMILY(sharing);
FAMILY(timing);
FAMILY(transforming);
FAMILY(usual);

static const marble_operation *const families[] = {
    aggregating_operations, chains_operations, combining_operations, creating_operations,
    effects_operations, filtering_operations, flattening_operations, joins_operations,
    sharing_operations, timing_operations, transforming_operations,
    usual_operations};

enum { MOST_LINES = 64, MOST_WORDS = 16, MOST_SOURCES = 8 };

/* What `*` stands for: a source that goes without an end, and what comes of that. */
enum { INTERRUPTION = 'Z' };

typedef struct marble_source {
  char name;
  belay_signal *signal;
  kept_source *kept; /* or NULL; then `signal` is its */
  const char *spans[8];
  size_t span_count;
  int is_watched; /* its subscriptions are expected, perhaps to be none */
} marble_source;

struct marble_run {
  belay_marbles *test;
  marble_source sources[MOST_SOURCES];
  int source_count;
  char *words[MOST_WORDS];
  int word_count;
  struct {
    const char *expected, *subscription;
  } listeners[2];
  const char *inside;
  belay_value meanings[128];
  int is_defined[128], interrupts;
};

/* Where a callback has to fail: at this value, or (when it is '*') always. */
static char failing;
static belay_value failing_value;

int marble_fails(belay_value value) {
  return failing == '*' || (failing && belay_value_equal(value, failing_value));
}
int marble_fails_always(void) { return failing == '*'; }

static marble_source *source_named(const marble_run *run, char name) {
  for (int i = 0; i < run->source_count; i++)
    if (run->sources[i].name == name) return (marble_source *)&run->sources[i];
  return NULL;
}

static const char *word(const marble_run *run, int index) {
  CHECK(index + 1 < run->word_count);
  return index + 1 < run->word_count ? run->words[index + 1] : "";
}

belay_signal *marble_input(const marble_run *run, int index) {
  marble_source *source = source_named(run, word(run, index)[0]);
  CHECK(source != NULL);
  return source ? belay_signal_retain(source->signal) : NULL;
}

long marble_number(const marble_run *run, int index) { return atol(word(run, index)); }

size_t marble_count(const marble_run *run, int index) {
  return strcmp(word(run, index), "all") == 0 ? BELAY_UNLIMITED : (size_t)marble_number(run, index);
}

belay_scheduler *marble_scheduler(const marble_run *run) {
  return belay_marbles_get_scheduler(run->test);
}

/* A value as cases write it: 10, t, f, [1 2 [3]], text. Moves on. */
static belay_value parse_value(const char **at) {
  if (**at == '[') {
    belay_value items[32];
    size_t count = 0;
    ++*at;
    while (**at && **at != ']') {
      if (**at == ' ')
        ++*at;
      else if (count < 32)
        items[count++] = parse_value(at);
    }
    if (**at) ++*at;
    return belay_array_of(items, count);
  }
  char text[64];
  size_t used = 0;
  while (**at && **at != ' ' && **at != ']' && used + 1 < sizeof text) text[used++] = *(*at)++;
  text[used] = 0;
  if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) return belay_bool(text[0] == 't');
  char *end;
  long number = strtol(text, &end, 10);
  if (used && !*end) return belay_int32((int32_t)number);
  double real = strtod(text, &end);
  return used && !*end ? belay_double(real) : belay_string(text);
}

static void define_as(marble_run *run, char mark, belay_value value) {
  belay_value_release(run->meanings[(int)mark]);
  run->meanings[(int)mark] = belay_value_retain(value);
  run->is_defined[(int)mark] = 1;
  CHECK_INT(belay_marbles_define(run->test, mark, value), 0);
}

static void define(marble_run *run, const char *at) {
  while (*at) {
    if (*at == ' ') {
      at++;
      continue;
    }
    char mark = *at++;
    CHECK(*at == '=');
    if (*at) at++;
    define_as(run, mark, parse_value(&at));
  }
}

belay_value marble_meaning(marble_run *run, char mark) {
  if (mark >= '0' && mark <= '9' && !run->is_defined[(int)mark]) return belay_int32(mark - '0');
  if (!run->is_defined[(int)mark]) define_as(run, mark, belay_string((char[]){mark, 0}));
  return run->meanings[(int)mark];
}

/* Gives `*` its meaning. */
static char *with_interruptions(marble_run *run, char *diagram) {
  for (char *at = diagram; *at; at++) {
    if (*at != '*') continue;
    *at = INTERRUPTION;
    run->interrupts = 1;
  }
  return diagram;
}

static void add_source(marble_run *run, const char *kind, char name, char *diagram) {
  int is_kept = strcmp(kind, "kept") == 0;
  if (is_kept) marble_meaning(run, INTERRUPTION);
  belay_signal *signal = strcmp(kind, "cold") == 0
                             ? belay_marbles_cold(run->test, diagram)
                             : belay_marbles_hot(run->test, with_interruptions(run, diagram));
  if (!signal)
    return check_failed(__FILE__, __LINE__, "%s", belay_error_message(belay_last_error()));
  marble_source *source = &run->sources[run->source_count++];
  *source = (marble_source){.name = name, .signal = signal};
  if (!is_kept) return;
  source->kept = kept_create(signal, marble_meaning(run, INTERRUPTION));
  source->signal = belay_signal_retain(kept_signal(source->kept));
}

kept_source *marble_kept(const marble_run *run, char name) {
  marble_source *source = source_named(run, name);
  return source ? source->kept : NULL;
}

static void split(marble_run *run, char *text) {
  for (char *at = strtok(text, " "); at && run->word_count < MOST_WORDS; at = strtok(NULL, " ")) {
    if (strncmp(at, "fail=", 5) != 0) {
      run->words[run->word_count++] = at;
      continue;
    }
    failing = at[5];
    failing_value = failing == '*' ? belay_null() : marble_meaning(run, failing);
  }
}

static void expect_spans(marble_run *run, char name, const char *span) {
  marble_source *source = source_named(run, name);
  CHECK(source != NULL);
  if (!source) return;
  source->is_watched = 1;
  if (strcmp(span, "none") != 0) source->spans[source->span_count++] = span;
}

static char *trimmed(char *text) {
  while (*text == ' ') text++;
  for (char *end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);) *--end = 0;
  return text;
}

/* One line of a case; unknown ones are an error of the case. */
static void read_line(marble_run *run, char *line) {
  char *colon = strchr(line, ':');
  if (strncmp(line, "with ", 5) == 0) return define(run, line + 5);
  if (strncmp(line, "run ", 4) == 0) return split(run, line + 4);
  if (!colon) return check_failed(__FILE__, __LINE__, "not understood: %s", line);
  char *rest = trimmed(colon + 1);
  *colon = 0;
  char name = line[strlen(trimmed(line)) - 1];
  int second = name == '2';
  if (strncmp(line, "cold ", 5) == 0) return add_source(run, "cold", name, rest);
  if (strncmp(line, "hot ", 4) == 0) return add_source(run, "hot", name, rest);
  if (strncmp(line, "kept ", 5) == 0) return add_source(run, "kept", name, rest);
  if (strncmp(line, "subs ", 5) == 0) return expect_spans(run, name, rest);
  if (strcmp(line, "expect") == 0 || strcmp(line, "expect2") == 0)
    run->listeners[second].expected = with_interruptions(run, rest);
  else if (strcmp(line, "unsub") == 0 || strcmp(line, "sub2") == 0)
    run->listeners[second].subscription = rest;
  else if (strcmp(line, "inside") == 0)
    run->inside = rest;
  else
    check_failed(__FILE__, __LINE__, "not understood: %s", line);
}

static const marble_operation *operation_named(const char *name) {
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    for (const marble_operation *it = families[i]; it->name; it++)
      if (strcmp(it->name, name) == 0) return it;
  return NULL;
}

static void expect(marble_run *run, const marble_operation *operation) {
  belay_signal *signal = operation->make(run);
  if (!signal) check_failed(__FILE__, __LINE__, "no signal was made");
  if (run->inside || run->interrupts)
    signal = inside_of(run, signal, run->inside, marble_meaning(run, INTERRUPTION));
  for (int i = 0; i < 2; i++)
    if (run->listeners[i].expected &&
        belay_marbles_expect(run->test, belay_signal_retain(signal), run->listeners[i].subscription,
                             run->listeners[i].expected) < 0)
      check_failed(__FILE__, __LINE__, "%s", belay_error_message(belay_last_error()));
  belay_signal_release(signal);
  for (int i = 0; i < run->source_count; i++)
    if (run->sources[i].is_watched)
      CHECK_INT(belay_marbles_expect_subscriptions(run->test, run->sources[i].signal,
                                                   run->sources[i].spans,
                                                   run->sources[i].span_count),
                0);
}

static void release_sources(marble_run *run) {
  for (int i = 0; i < run->source_count; i++) belay_signal_release(run->sources[i].signal);
}

static void run_lines(char **lines, int count) {
  marble_run run = {.test = belay_marbles_create()};
  failing = 0;
  /* Values are defined before they are used. */
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < count; i++)
      if ((strncmp(lines[i], "with ", 5) == 0) == (pass == 0)) read_line(&run, lines[i]);
  const marble_operation *operation = run.word_count ? operation_named(run.words[0]) : NULL;
  if (!operation || !run.listeners[0].expected) {
    check_failed(__FILE__, __LINE__, "no such operation, or nothing expected: %s",
                 run.word_count ? run.words[0] : "(none)");
    release_sources(&run);
  } else {
    expect(&run, operation);
    release_sources(&run);
    if (belay_marbles_run(run.test) < 0)
      check_failed(__FILE__, __LINE__, "%s", belay_error_message(belay_last_error()));
  }
  for (int i = 0; i < run.source_count; i++)
    if (run.sources[i].kept) kept_free(run.sources[i].kept);
  belay_marbles_release(run.test);
  for (int mark = 0; mark < 128; mark++) belay_value_release(run.meanings[mark]);
  belay_last_error();
  belay_last_error();
}

/* ---- the files ---- */

static char *current_lines[MOST_LINES];
static int current_count;
static void run_current(void) { run_lines(current_lines, current_count); }

static int failures, played;

static void run_case(int argc, char **argv, char *title) {
  test_case one = {title, run_current};
  if (current_count) {
    failures += run_cases(&one, 1, 1, argv);
    played++;
  }
  current_count = 0;
}

static void run_file(const char *path, const char *name, int argc, char **argv) {
  static char text[1 << 16], title[256];
  char *save;
  FILE *file = fopen(path, "r");
  if (!file) exit(2);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    if (strncmp(line, "==", 2) == 0) {
      run_case(argc, argv, title);
      snprintf(title, sizeof title, "%.*s: %s", (int)strcspn(name, "."), name, line + 3);
    } else if (*line != '#' && *trimmed(line) && current_count < MOST_LINES) {
      current_lines[current_count++] = trimmed(line);
    }
  }
  run_case(argc, argv, title);
}

int main(int argc, char **argv) {
  glob_t files;
  if (glob(MARBLES "/*/*.txt", 0, NULL, &files) != 0) return 2;
  for (size_t i = 0; i < files.gl_pathc; i++) {
    const char *path = files.gl_pathv[i], *name = strrchr(path, '/') + 1;
    if (argc < 2 || strstr(name, argv[1])) run_file(path, name, argc, argv);
  }
  globfree(&files);
  if (!played) fprintf(stderr, "no cases in %s\n", MARBLES);
  return failures != 0 || !played;
}
