/* The workload on a loop, while its files are spied on. */
#ifndef SPY_SESSION_H
#define SPY_SESSION_H

#include <stdbool.h>

#include "options.h"
#include "workload.h"

/* Runs the workload on the database `path`, step by step between the loop's other events, and
   prints what is done to its files: rates from time to time, and a table at the end. True, with the
   outcome, if all went well; else the reason is on stderr. */
bool session_run(const char *path, const options *options, outcome *outcome);

#endif
