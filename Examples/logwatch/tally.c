#include "tally.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void tally_add(tally *tally, const char *keyword) {
  tally->total++;
  size_t row = 0;
  while (row < tally->used && strcmp(tally->rows[row].keyword, keyword) != 0) row++;
  if (row >= TALLY_ROWS) row = TALLY_ROWS - 1;
  if (row == tally->used) {
    bool last = ++tally->used == TALLY_ROWS;
    snprintf(tally->rows[row].keyword, KEYWORD_SIZE, "%s", last ? "other" : keyword);
  }
  tally->rows[row].count++;
}

static size_t largest(const tally *tally, const bool *taken) {
  size_t best = TALLY_ROWS;
  for (size_t row = 0; row < tally->used; row++)
    if (!taken[row] && (best == TALLY_ROWS || tally->rows[row].count > tally->rows[best].count))
      best = row;
  return best;
}

void tally_describe(const tally *tally, size_t most, char *buffer, size_t size) {
  bool taken[TALLY_ROWS] = {false};
  size_t length = 0;
  buffer[0] = 0;
  for (size_t n = 0; n < most && n < tally->used; n++) {
    size_t row = largest(tally, taken);
    taken[row] = true;
    int wrote = snprintf(buffer + length, size - length, "%s%s %llu", n ? ", " : "",
                         tally->rows[row].keyword, (unsigned long long)tally->rows[row].count);
    if (wrote < 0 || (size_t)wrote >= size - length) {
      buffer[length] = 0;
      return;
    }
    length += (size_t)wrote;
  }
}
