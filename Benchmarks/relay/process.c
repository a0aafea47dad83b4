#define _GNU_SOURCE
#include "process.h"

#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int find_port(const process *process) {
  char text[256];
  ssize_t size = pread(process->log, text, sizeof text - 1, 0);
  if (size <= 0) return 0;
  text[size] = 0;
  const char *place = strstr(text, "listening at 127.0.0.1:");
  return place && strchr(place, '\n') ? atoi(strrchr(place, ':') + 1) : 0;
}

void process_start(process *process, const char *const *arguments) {
  process->log = memfd_create("log", MFD_CLOEXEC);
  process->pid = fork();
  if (process->log < 0 || process->pid < 0) err(2, "fork");
  if (process->pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(process->log, STDOUT_FILENO);
    execv(arguments[0], (char *const *)arguments);
    err(2, "%s", arguments[0]);
  }
  for (int tries = 0; (process->port = find_port(process)) == 0; tries++) {
    if (tries > 3000 || waitpid(process->pid, NULL, WNOHANG) != 0)
      errx(2, "%s does not listen", arguments[0]);
    usleep(10000);
  }
}

void process_end(process *process) {
  int status;
  kill(process->pid, SIGTERM);
  if (waitpid(process->pid, &status, 0) < 0 || status != 0)
    errx(3, "a server ended with %d", status);
  close(process->log);
}

static FILE *open_about(const process *process, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)process->pid, name);
  FILE *file = fopen(path, "r");
  if (!file) err(2, "%s", path);
  return file;
}

double process_memory(const process *process) {
  unsigned long pages = 0;
  FILE *file = open_about(process, "statm");
  if (fscanf(file, "%*u %lu", &pages) != 1) errx(2, "statm");
  fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

double process_time(const process *process) {
  unsigned long user = 0, system = 0;
  FILE *file = open_about(process, "stat");
  /* The name in brackets has no space here. */
  if (fscanf(file, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) !=
      2)
    errx(2, "stat");
  fclose(file);
  return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}
