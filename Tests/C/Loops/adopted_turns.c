/* What waits for a turn of a loop that the host runs, and in which nothing is alive. */
#include "cases.h"

#include <poll.h>
#include <uv.h>

static uv_loop_t uv;
static belay_loop *host, *guest;

static void begin(void) {
  CHECK_INT(uv_loop_init(&uv), 0);
  host = belay_loop_adopt(&uv, NULL);
  CHECK(host != NULL);
}

static void end(void) {
  close_loop(host);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
}

static void post(void *name) { CHECK_INT(belay_loop_post(host, trace_action, name, NULL), 0); }

/* ---- posts of other threads ---- */

enum { ROUNDS = 10 }; /* never reached */

static void a_host_that_asks_how_long_to_wait(void) {
  begin();
  routine it;
  start_thread(&it, post, "post");
  for (int i = 0; i < ROUNDS && !strstr(trace_text(), "post"); i++) {
    double seconds = belay_loop_backend_timeout(host);
    struct pollfd entry = {.fd = belay_loop_backend_fd(host), .events = POLLIN};
    poll(&entry, 1, seconds < 0 ? 10000 : (int)(seconds * 1000 + 0.999));
    uv_run(&uv, UV_RUN_NOWAIT);
  }
  join_thread(&it);
  CHECK_TRACE("action post");
  CHECK(belay_loop_backend_timeout(host) < 0);
  end();
}

static void a_host_that_runs_while_it_is_alive(void) {
  begin();
  in_thread(post, "post");
  for (int i = 0; i < ROUNDS && belay_loop_alive(host) == 1; i++) uv_run(&uv, UV_RUN_DEFAULT);
  CHECK_TRACE("action post");
  CHECK_INT(belay_loop_alive(host), 0);
  end();
}

/* ---- a user who leaves ---- */

static void leave(void *ctx, belay_value value) {
  CHECK_INT(belay_loop_close(guest, trace_closed, NULL, NULL), 0);
}
static void a_user_leaves_inside_of_a_callback_outside_of_a_turn(void) {
  begin();
  guest = belay_loop_adopt(&uv, NULL);
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = leave};
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
  CHECK_INT(belay_subject_next(subject, belay_null()), 0);
  CHECK_TRACE("");
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_TRACE("closed");
  end_subscription(subscription);
  belay_signal_release(subject);
  belay_loop_release(guest);
  end();
}

static const test_case cases[] = {
    CASE(a_host_that_asks_how_long_to_wait),
    CASE(a_host_that_runs_while_it_is_alive),
    CASE(a_user_leaves_inside_of_a_callback_outside_of_a_turn),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
