#include "stats.h"

#include <stdio.h>

void stats_describe(const stats *stats, char *line, size_t size) {
  snprintf(line, size,
           "clients %u, rooms %u, connections %llu, lines in %llu, refused %llu, out %llu, "
           "too slow %llu, idle %llu",
           stats->clients, stats->rooms, (unsigned long long)stats->connections,
           (unsigned long long)stats->received, (unsigned long long)stats->refused,
           (unsigned long long)stats->sent, (unsigned long long)stats->slow,
           (unsigned long long)stats->idle);
}
