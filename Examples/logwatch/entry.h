/* A parsed line. It travels through the signals as a struct value: copied, nothing to free. */
#ifndef LOGWATCH_ENTRY_H
#define LOGWATCH_ENTRY_H

#include <stdbool.h>
#include <stddef.h>

#define KEYWORD_SIZE 24
#define TEXT_SIZE 96

typedef struct entry {
  char keyword[KEYWORD_SIZE]; /* "installed", "error", …; "text" for a line without any */
  char text[TEXT_SIZE];       /* the line without its date, cut, safe for a terminal */
  bool matched;
} entry;

/* Understands dpkg.log ("2026-11-20 18:35:58 status installed foo:amd64 1.2"), and of any other
   text its level ("ERROR", "[warn]", "level=info") or, when it is dated, its first word.
   `word` may be NULL: every line matches. */
void entry_parse(entry *entry, const char *line, size_t size, const char *word);

#endif
