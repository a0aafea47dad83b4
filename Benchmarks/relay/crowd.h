/* The clients: connections in rooms of equal size. In each room the first one speaks. */
#ifndef BENCH_RELAY_CROWD_H
#define BENCH_RELAY_CROWD_H

#include <stddef.h>
#include <stdint.h>

typedef struct crowd crowd;

double seconds_now(void);

/* Connects, and waits until each has been greeted. Whatever goes wrong ends this program. */
crowd *crowd_connect(int port, unsigned connections, unsigned room_size);
/* Enters the rooms, and waits until everybody knows. */
void crowd_join(crowd *crowd);
/* Lets each speaker send `window` lines more than all have got, for so many seconds; returns the
   lines that were delivered in a second. */
double crowd_flood(crowd *crowd, double seconds, unsigned window);
/* Sends `rate` lines a second, room by room, for so many seconds. Returns the time from sending a
   line, in seconds, in which 99 of 100 have been delivered. */
double crowd_pace(crowd *crowd, double seconds, double rate);
/* How many lines have been delivered. */
uint64_t crowd_delivered(const crowd *crowd);
void crowd_close(crowd *crowd);

#endif
