/* What is printed on standard output: the name of a command, a bar, a line. */
#ifndef RUNALL_PRINT_H
#define RUNALL_PRINT_H

#include <belay/belay.h>

/* A line that a command has printed. */
void print_line(const char *name, belay_view line);
/* A line about it. */
void print_about(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
