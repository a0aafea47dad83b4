/* The file of commands: lines "name: command", empty lines, and comments that begin with "#". */
#ifndef RUNALL_CONFIG_H
#define RUNALL_CONFIG_H

#include <stddef.h>

#define NAME_SIZE 32 /* with the NUL */

typedef struct config_entry {
  char name[NAME_SIZE];
  char *command;
} config_entry;

typedef struct config {
  config_entry *entries;
  size_t count;
} config;

/* Reads the file. Returns 0; or -1, and `problem` says what is wrong, such as that there is no
   command. */
int config_read(config *config, const char *path, char *problem, size_t problem_size);
void config_free(config *config);

/* Finds the command of a name, which lives as long as `config`; NULL: there is none. */
const char *config_find(const config *config, const char *name);

#endif
