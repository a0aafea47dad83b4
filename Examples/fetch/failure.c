#include "failure.h"

#include <stdio.h>

belay_error *make_failure(int code, const char *subject, const char *problem) {
  char message[512];
  snprintf(message, sizeof message, "%s: %s", subject,
           problem ? problem : belay_error_text(code));
  return belay_error_create(code, "fetch", message, belay_null(), NULL);
}

void send_failure(belay_subscriber *subscriber, int code, const char *subject,
                  const char *problem) {
  belay_error *error = make_failure(code, subject, problem);
  belay_subscriber_error(subscriber, error);
  belay_error_release(error);
}

bool is_on_loop(belay_subscriber *subscriber, belay_loop *loop, const char *subject) {
  if (belay_loop_current() == loop) return true;
  send_failure(subscriber, BELAY_EWRONGTHREAD, subject, NULL);
  return false;
}
