/* wordcount FILE: the ten most frequent words of a file that is read as a stream of lines. A word is
 * a run of letters from A to Z, in any bytes. The same program, with the same output, stands beside
 * this one in every language that Belay is bound to. */
#include <belay/belay.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct counted {
  const char *word;
  int count;
} counted;

/* The words of a line, one after the other. */
static belay_disposable *send_words(void *line, belay_subscriber *words) {
  char *rest = line, *word;
  while ((word = strtok_r(rest, " ", &rest)) != NULL)
    belay_subscriber_next(words, belay_string(word));
  belay_subscriber_completed(words);
  return NULL;
}

static belay_signal *words_of(void *ctx, belay_value line) {
  belay_view text = {"", 0};
  (void)ctx;
  belay_value_get_bytes(line, &text); /* of a string, too */
  char *words = calloc(text.size + 1, 1);
  for (size_t i = 0; i < text.size; i++)
    words[i] = isalpha((unsigned char)text.data[i]) ? (char)tolower(text.data[i]) : ' ';
  return belay_signal_create(send_words, words, free, NULL);
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const counted *)a)->word, ((const counted *)b)->word);
}

static int by_count(const void *a, const void *b) {
  const counted *left = a, *right = b;
  return left->count == right->count ? by_name(a, b) : right->count - left->count;
}

static void report(void *ctx, belay_value words) {
  size_t size = belay_value_count(words), different = 0;
  counted *all = calloc(size + 1, sizeof *all);
  (void)ctx;
  for (size_t i = 0; i < size; i++) {
    belay_value word;
    belay_view text = {"", 0};
    belay_value_get_item(words, i, &word);
    belay_value_get_string(word, &text);
    all[i] = (counted){text.data, 1};
  }
  qsort(all, size, sizeof *all, by_name);
  for (size_t i = 0; i < size; i++)
    if (different > 0 && strcmp(all[different - 1].word, all[i].word) == 0)
      all[different - 1].count++;
    else
      all[different++] = all[i];
  qsort(all, different, sizeof *all, by_count);
  printf("%zu words, %zu different\n", size, different);
  for (size_t i = 0; i < different && i < 10; i++) printf("%5d %s\n", all[i].count, all[i].word);
  free(all);
}

static void complain(void *status, const belay_error *error) {
  fprintf(stderr, "wordcount: %s\n", belay_error_message(error));
  *(int *)status = 1;
}

int main(int argc, char **argv) {
  int status = 0;
  belay_loop *loop = belay_loop_create(NULL);
  belay_signal *words = belay_signal_chain(
      belay_file_lines(loop, argc > 1 ? argv[1] : "", 0),
      belay_op_concat_map(words_of, NULL, NULL), belay_op_collect());
  belay_signal_subscribe(words, &(belay_observer){.size = sizeof(belay_observer),
      .next = report, .error = complain, .ctx = &status, .loop = loop}, NULL);
  belay_loop_run(loop, BELAY_RUN_DEFAULT);
  belay_signal_release(words);
  belay_loop_release(loop);
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  fputs("wordcount: the output could not be written\n", stderr);
  return 1;
}
