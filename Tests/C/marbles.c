/* Runs the cases of Tests/Marbles through the C API; the Swift tests run the same ones. See
   CONTRIBUTING.md for how a case is written. Usage: test_marbles [part of a file's name] */
#include "marbles.h"

#include <ctype.h>
#include <dirent.h>

#define FAMILY(name) extern const marble_operation name##_operations[]
FAMILY(basics);
FAMILY(transforming);
FAMILY(flattening);
FAMILY(filtering);
FAMILY(combining);
FAMILY(timing);
FAMILY(sharing);

static const marble_operation *const families[] = {
    basics_operations,    transforming_operations, flattening_operations, filtering_operations,
    combining_operations, timing_operations,       sharing_operations};

enum { MOST_LINES = 64, MOST_WORDS = 16, MOST_SOURCES = 8 };

typedef struct marble_source {
  char name;
  belay_signal *signal;
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
  const char *expected, *subscription;
};

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

belay_scheduler *marble_scheduler(const marble_run *run) {
  return belay_marbles_scheduler(run->test);
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

static void define(marble_run *run, const char *at) {
  while (*at) {
    if (*at == ' ') {
      at++;
      continue;
    }
    char mark = *at++;
    CHECK(*at == '=');
    if (*at) at++;
    CHECK_INT(belay_marbles_define(run->test, mark, parse_value(&at)), 0);
  }
}

static void add_source(marble_run *run, int is_hot, char name, const char *diagram) {
  belay_signal *signal =
      is_hot ? belay_marbles_hot(run->test, diagram) : belay_marbles_cold(run->test, diagram);
  if (!signal)
    return check_failed(__FILE__, __LINE__, "%s", belay_error_message(belay_last_error()));
  run->sources[run->source_count++] = (marble_source){.name = name, .signal = signal};
}

static void split(marble_run *run, char *text) {
  for (char *at = strtok(text, " "); at && run->word_count < MOST_WORDS; at = strtok(NULL, " "))
    run->words[run->word_count++] = at;
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
  if (strncmp(line, "cold ", 5) == 0) return add_source(run, 0, name, rest);
  if (strncmp(line, "hot ", 4) == 0) return add_source(run, 1, name, rest);
  if (strncmp(line, "subs ", 5) == 0) return expect_spans(run, name, rest);
  if (strcmp(line, "expect") == 0)
    run->expected = rest;
  else if (strcmp(line, "unsub") == 0)
    run->subscription = rest;
  else
    check_failed(__FILE__, __LINE__, "not understood: %s", line);
}

static const marble_operation *operation_named(const char *name) {
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    for (const marble_operation *it = families[i]; it->name; it++)
      if (strcmp(it->name, name) == 0) return it;
  return NULL;
}

static void run_lines(char **lines, int count) {
  marble_run run = {.test = belay_marbles_create()};
  /* Values are defined before they are used. */
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < count; i++)
      if ((strncmp(lines[i], "with ", 5) == 0) == (pass == 0)) read_line(&run, lines[i]);
  const marble_operation *operation = run.word_count ? operation_named(run.words[0]) : NULL;
  if (!operation || !run.expected) {
    check_failed(__FILE__, __LINE__, "no such operation, or nothing expected: %s",
                 run.word_count ? run.words[0] : "(none)");
  } else {
    belay_signal *signal = operation->make(&run);
    if (!signal) check_failed(__FILE__, __LINE__, "no signal was made");
    if (belay_marbles_expect(run.test, signal, run.subscription, run.expected) < 0)
      check_failed(__FILE__, __LINE__, "%s", belay_error_message(belay_last_error()));
    for (int i = 0; i < run.source_count; i++)
      if (run.sources[i].is_watched)
        CHECK_INT(belay_marbles_expect_subscriptions(run.test, run.sources[i].signal,
                                                     run.sources[i].spans,
                                                     run.sources[i].span_count),
                  0);
    for (int i = 0; i < run.source_count; i++) belay_signal_release(run.sources[i].signal);
    run.source_count = 0;
    if (belay_marbles_run(run.test) < 0)
      check_failed(__FILE__, __LINE__, "%s", belay_error_message(belay_last_error()));
  }
  for (int i = 0; i < run.source_count; i++) belay_signal_release(run.sources[i].signal);
  belay_marbles_release(run.test);
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

static void run_file(const char *name, int argc, char **argv) {
  static char text[1 << 16], title[256];
  char path[1024], *save;
  snprintf(path, sizeof path, "%s/%s", MARBLES, name);
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

static int by_name(const struct dirent **a, const struct dirent **b) { return alphasort(a, b); }

int main(int argc, char **argv) {
  struct dirent **names = NULL;
  int count = scandir(MARBLES, &names, NULL, by_name);
  for (int i = 0; i < count; i++) {
    const char *name = names[i]->d_name;
    if (strstr(name, ".txt") && (argc < 2 || strstr(name, argv[1]))) run_file(name, argc, argv);
    free(names[i]);
  }
  free(names);
  if (!played) fprintf(stderr, "no cases in %s\n", MARBLES);
  return failures != 0 || !played;
}
