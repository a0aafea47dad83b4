/* The log, on standard output: a line for each thing that its reader may have to explain. */
#ifndef RELAY_LOG_H
#define RELAY_LOG_H

void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
