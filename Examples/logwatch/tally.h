/* How often each keyword came. Its size is fixed, so that a log of nothing but new words does no
   harm and a tally fits into a struct value. */
#ifndef LOGWATCH_TALLY_H
#define LOGWATCH_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "entry.h"

#define TALLY_ROWS 16

typedef struct tally {
  uint64_t total;
  size_t used;
  struct {
    char keyword[KEYWORD_SIZE];
    uint64_t count;
  } rows[TALLY_ROWS]; /* the last one counts the words that found no row */
} tally;

void tally_add(tally *tally, const char *keyword);

/* Writes "unpacked 12, installed 5": the `most` most frequent ones, as far as they fit. */
void tally_describe(const tally *tally, size_t most, char *buffer, size_t size);

#endif
