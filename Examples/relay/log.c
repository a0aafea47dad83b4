#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

void log_line(const char *format, ...) {
  char clock[16];
  time_t now = time(NULL);
  struct tm local;
  strftime(clock, sizeof clock, "%H:%M:%S", localtime_r(&now, &local));
  printf("%s ", clock);
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
}
