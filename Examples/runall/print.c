#include "print.h"

#include <stdarg.h>
#include <stdio.h>

void print_line(const char *name, belay_view line) {
  printf("%-8s | ", name);
  fwrite(line.data, 1, line.size, stdout);
  putchar('\n');
}

void print_about(const char *name, const char *format, ...) {
  printf("%-8s * ", name);
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
}
