/* What the system knows of this process. */
#ifndef SPY_PROCESS_H
#define SPY_PROCESS_H

#include <stdint.h>

/* How many bytes this process has written by system calls so far; negative where that is not
   counted. */
int64_t process_written(void);

#endif
