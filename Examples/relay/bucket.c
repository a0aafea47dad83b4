#include "bucket.h"

bool bucket_take(bucket *bucket, double rate, double now) {
  if (rate == 0) return true;
  double most = rate < 1 ? 1 : rate;
  double tokens = bucket->tokens + (now - bucket->time) * rate;
  bucket->time = now;
  bucket->tokens = tokens < most ? tokens : most;
  if (bucket->tokens < 1) return false;
  bucket->tokens -= 1;
  return true;
}
