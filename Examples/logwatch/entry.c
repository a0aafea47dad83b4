#include "entry.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "text.h"

typedef struct span {
  const char *data;
  size_t size;
} span;

static const char *const levels[] = {"emerg", "fatal", "panic",  "critical", "crit",
                                     "error", "err",   "warn",   "warning",  "notice",
                                     "info",  "debug", "trace"};

static span next_word(span *rest) {
  while (rest->size && isspace((unsigned char)*rest->data)) rest->data++, rest->size--;
  span word = {rest->data, 0};
  while (word.size < rest->size && !isspace((unsigned char)word.data[word.size])) word.size++;
  rest->data += word.size;
  rest->size -= word.size;
  return word;
}

/* "[Warn]:" and "level=warn," are "warn". */
static span bare(span word) {
  static const char prefix[] = "level=";
  if (word.size > sizeof prefix - 1 && memcmp(word.data, prefix, sizeof prefix - 1) == 0)
    word.data += sizeof prefix - 1, word.size -= sizeof prefix - 1;
  while (word.size && ispunct((unsigned char)*word.data)) word.data++, word.size--;
  while (word.size && ispunct((unsigned char)word.data[word.size - 1])) word.size--;
  return word;
}

static bool is_word(span word, const char *text) {
  return strlen(text) == word.size && strncasecmp(word.data, text, word.size) == 0;
}

/* Digits with '-', '/', ':', '.', ',', 'T', 'Z' and '+' between them, as dates and times have. */
static bool is_time(span word) {
  if (!word.size || !isdigit((unsigned char)*word.data)) return false;
  bool separated = false;
  for (size_t i = 0; i < word.size; i++) {
    if (isdigit((unsigned char)word.data[i])) continue;
    if (!memchr("-/:.,TZ+", word.data[i], 8)) return false;
    separated = true;
  }
  return separated;
}

static bool contains(span line, const char *word) {
  size_t size = strlen(word);
  for (size_t i = 0; i + size <= line.size; i++)
    if (strncasecmp(line.data + i, word, size) == 0) return true;
  return false;
}

static void copy_keyword(char *to, span word) {
  size_t size = word.size < KEYWORD_SIZE ? word.size : KEYWORD_SIZE - 1;
  for (size_t i = 0; i < size; i++) {
    unsigned char c = (unsigned char)word.data[i];
    to[i] = isprint(c) ? (char)tolower(c) : '?';
  }
  to[size] = 0;
}

static span find_level(span rest) {
  for (span word = next_word(&rest); word.size; word = next_word(&rest)) {
    span candidate = bare(word);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
      if (is_word(candidate, levels[i])) return candidate;
  }
  return (span){NULL, 0};
}

static span find_keyword(span body, bool dated) {
  span rest = body, first = next_word(&rest);
  if (dated && is_word(first, "status")) return next_word(&rest);
  span level = find_level(body);
  if (level.size) return level;
  return dated ? bare(first) : (span){NULL, 0};
}

void entry_parse(entry *entry, const char *line, size_t size, const char *word) {
  memset(entry, 0, sizeof *entry);
  span whole = {line, size}, rest = whole, body = whole;
  bool dated = false;
  while (is_time(next_word(&rest))) body = rest, dated = true;
  while (body.size && isspace((unsigned char)*body.data)) body.data++, body.size--;

  span keyword = find_keyword(body, dated);
  copy_keyword(entry->keyword, keyword.size ? keyword : (span){"text", 4});
  text_copy(entry->text, sizeof entry->text, body.data, body.size);
  entry->matched = !word || contains(whole, word);
}
