/* Text of a log, which may hold anything, for a terminal. */
#ifndef LOGWATCH_TEXT_H
#define LOGWATCH_TEXT_H

#include <stddef.h>

/* Copies as many whole characters as `room` has space for, with a NUL after them. "?" stands for
   control characters, and for bytes that are no UTF-8. */
void text_copy(char *to, size_t room, const char *text, size_t size);

/* The size of the first characters of `text` that surely fit into so many columns. */
size_t text_fit(const char *text, size_t columns);

#endif
