/* What the server has done. */
#ifndef RELAY_STATS_H
#define RELAY_STATS_H

#include <stddef.h>
#include <stdint.h>

typedef struct stats {
  unsigned clients, rooms; /* now */
  uint64_t connections;    /* since the start, as the rest */
  uint64_t received, refused, sent;
  uint64_t slow, idle; /* clients that had to go */
} stats;

/* Writes one line without its end. */
void stats_describe(const stats *stats, char *line, size_t size);

#endif
