/* The head of a response. It travels through the signals as a struct value: copied, nothing to
   free. */
#ifndef FETCH_HTTP_HEAD_H
#define FETCH_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>

#define HTTP_REASON_SIZE 64
#define HTTP_FIELDS_SIZE 8192

typedef struct http_head {
  int status;
  char reason[HTTP_REASON_SIZE]; /* cut if it is longer */
  size_t size;                   /* how much of `fields` is used */
  char fields[HTTP_FIELDS_SIZE]; /* "name\0value\0", one after the other */
} http_head;

/* Adds a field; false when there is no room. */
bool http_head_add(http_head *head, const char *name, const char *value);

/* Goes through the fields: `*at` is 0 at first. False after the last one. */
bool http_head_next(const http_head *head, size_t *at, const char **name, const char **value);

/* The first field of that name, in upper or lower case; NULL when there is none. */
const char *http_head_get(const http_head *head, const char *name);

#endif
