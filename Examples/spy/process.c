#include "process.h"

#include <inttypes.h>
#include <stdio.h>

int64_t process_written(void) {
  FILE *file = fopen("/proc/self/io", "r");
  if (!file) return -1;
  int64_t written = -1;
  char line[128];
  while (written < 0 && fgets(line, sizeof line, file))
    if (sscanf(line, "wchar: %" SCNd64, &written) != 1) written = -1;
  fclose(file);
  return written;
}
