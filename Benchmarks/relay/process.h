/* A server under test, as a process of its own. */
#ifndef BENCH_RELAY_PROCESS_H
#define BENCH_RELAY_PROCESS_H

#include <sys/types.h>

typedef struct process {
  pid_t pid;
  int log; /* its output, a file that has no name */
  int port;
} process;

/* Starts `arguments[0]`, and waits until it tells its port. */
void process_start(process *process, const char *const *arguments);
/* Ends it by SIGTERM. Ends this program if the process does not end well. */
void process_end(process *process);

/* Its resident memory, in bytes. */
double process_memory(const process *process);
/* The time that it has had on the processor, in seconds. */
double process_time(const process *process);

#endif
