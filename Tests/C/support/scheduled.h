/* A loop and its scheduler, for a program that has one at a time. */
#ifndef SCHEDULED_H
#define SCHEDULED_H

#include "cases.h"

static belay_loop *loop;
static belay_scheduler *scheduler;

static inline void open_scheduler(void) {
  loop = open_loop();
  scheduler = belay_loop_get_scheduler(loop);
}

#endif
