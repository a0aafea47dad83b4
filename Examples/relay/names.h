/* Names of clients and rooms: letters, digits, "-" and "_". */
#ifndef RELAY_NAMES_H
#define RELAY_NAMES_H

#include <stdbool.h>

#define NAME_SIZE 24 /* with the NUL */

bool name_is_valid(const char *name);

#endif
