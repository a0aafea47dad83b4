#define _GNU_SOURCE
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *config_find(const config *config, const char *name) {
  for (size_t i = 0; i < config->count; i++)
    if (strcmp(config->entries[i].name, name) == 0) return config->entries[i].command;
  return NULL;
}

static int add(config *config, const char *name, size_t size, const char *command) {
  config_entry *entries = realloc(config->entries, (config->count + 1) * sizeof *config->entries);
  if (!entries) return -1;
  config->entries = entries;
  config_entry *entry = &entries[config->count];
  memcpy(entry->name, name, size);
  entry->name[size] = 0;
  entry->command = strdup(command);
  if (!entry->command) return -1;
  config->count++;
  return 0;
}

static char *trim(char *text) {
  while (isspace((unsigned char)*text)) text++;
  size_t size = strlen(text);
  while (size > 0 && isspace((unsigned char)text[size - 1])) size--;
  text[size] = 0;
  return text;
}

/* Returns what is wrong with the line; NULL: nothing. */
static const char *take_line(config *config, char *text) {
  char *name = trim(text);
  if (!*name || *name == '#') return NULL;
  size_t size = strcspn(name, ":");
  if (name[size] != ':' || size == 0) return "is not \"name: command\"";
  if (size >= NAME_SIZE) return "has a name that is too long";
  name[size] = 0;
  for (size_t i = 0; i < size; i++)
    if (!isalnum((unsigned char)name[i]) && !strchr("-_.", name[i]))
      return "has a name that is not letters, digits, \"-\", \"_\" and \".\"";
  if (config_find(config, name)) return "has the name of another one";
  char *command = trim(name + size + 1);
  if (!*command) return "has no command";
  return add(config, name, size, command) < 0 ? strerror(ENOMEM) : NULL;
}

int config_read(config *config, const char *path, char *problem, size_t problem_size) {
  char *line = NULL;
  size_t size = 0;
  const char *what = NULL;
  unsigned number = 0;
  *config = (struct config){.count = 0};
  FILE *file = fopen(path, "re");
  errno = file ? 0 : errno;
  while (file && !what && getline(&line, &size, file) >= 0) {
    number++;
    what = take_line(config, line);
  }
  bool is_read = file && !ferror(file);
  if (what) snprintf(problem, problem_size, "%s: line %u %s", path, number, what);
  else if (!is_read) snprintf(problem, problem_size, "%s: %s", path, strerror(errno));
  else if (config->count == 0) snprintf(problem, problem_size, "%s: no command", path);
  int rc = what || !is_read || config->count == 0 ? -1 : 0;
  free(line);
  if (file) fclose(file);
  if (rc < 0) config_free(config);
  return rc;
}

void config_free(config *config) {
  for (size_t i = 0; i < config->count; i++) free(config->entries[i].command);
  free(config->entries);
  *config = (struct config){.count = 0};
}
