/* What a connection costs that waits for its peer. A sanitizer's allocator tells no sizes. */
#define _GNU_SOURCE
#include "streams.h"

#include <malloc.h>

enum { FIRST = 28, CONNECTIONS = 228 };

static belay_signal *subject;
static belay_owner *owners[CONNECTIONS];
static int peers[CONNECTIONS];

static void nothing(void *ctx) { (void)ctx; }

static belay_signal *lines_of_new_stream(int *peer) {
  belay_stream *stream = pair(peer, NULL);
  belay_signal *lines = belay_signal_chain(belay_stream_read(stream), belay_op_lines(99));
  belay_stream_release(stream);
  return lines;
}

/* Each has an owner, to which two subscriptions are bound. One of them has got a line. */
static void connect_some(int from, int limit) {
  for (int i = from; i < limit; i++) {
    owners[i] = belay_owner_create(NULL, NULL, NULL, NULL);
    belay_signal *lines = lines_of_new_stream(&peers[i]);
    belay_observer observer = {.size = sizeof observer, .completed = nothing, .label = "lines", .owner = owners[i]};
    CHECK_INT(belay_signal_subscribe(lines, &observer, NULL), 0);
    belay_signal_release(lines);
    observer.completed = NULL;
    CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
    CHECK_INT(send(peers[i], "a line\n", 7, 0), 7);
  }
  for (int i = 0; i < 3; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
}

WITH_LOOP(a_connection_that_waits_is_small) {
  subject = belay_subject_create(NULL);
  connect_some(0, FIRST);
  size_t before = mallinfo2().uordblks;
  connect_some(FIRST, CONNECTIONS);
  size_t cost = (mallinfo2().uordblks - before) / (CONNECTIONS - FIRST);
  /* The checked build remembers its handles. */
  if (cost > 1650 + 4 * REMEMBERED) check_failed(__FILE__, __LINE__, "a connection takes %zu bytes", cost);
  for (int i = 0; i < CONNECTIONS; i++) {
    belay_owner_release(owners[i]);
    close(peers[i]);
  }
  belay_signal_release(subject);
}

static const test_case cases[] = {CASE(a_connection_that_waits_is_small)};

int main(int argc, char **argv) { return RUN_CASES(cases); }
