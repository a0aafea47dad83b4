/* A token bucket: lets `rate` things a second pass, and that many at once after a pause. */
#ifndef RELAY_BUCKET_H
#define RELAY_BUCKET_H

#include <stdbool.h>

typedef struct bucket {
  double tokens;
  double time; /* when they were counted */
} bucket;

/* Returns false when there is no token. A `rate` of 0 lets everything pass. */
bool bucket_take(bucket *bucket, double rate, double now);

#endif
