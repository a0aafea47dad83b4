/* Several values from another thread wait at a loop for one receiver. The first one's callback takes the receiver's
   last references, and empties the queue, by a turn inside or by the loop's close. */
#include "cases.h"

#include <uv.h>

enum chain { PLAIN, MERGED, UNTIL, CHAINS };
enum act { NOTHING, DISPOSES, RELEASES, BOTH, ACTS };

static belay_loop *loop;
static uv_loop_t uv;
static belay_signal *source;
static belay_disposable *subscription;
static enum act act;
static int closes, heard;

static void empty_the_queue(void *ctx, belay_value value) {
  if (heard++) return;
  if (act & DISPOSES) belay_disposable_dispose(subscription);
  if (act & RELEASES) {
    belay_signal_release(source);
    source = NULL;
  }
  if (closes) {
    CHECK(belay_loop_close(loop, NULL, NULL, NULL) >= 0);
  } else {
    for (int i = 0; i < 2; i++) uv_run(&uv, UV_RUN_NOWAIT);
  }
}

static void send_three(void *ctx) {
  for (int i = 0; i < 3; i++) CHECK_INT(belay_subject_next(source, belay_int32(i)) >= 0, 1);
}

static belay_signal *chained(belay_signal *signal, enum chain chain) {
  if (chain == MERGED) return belay_signal_merge(&signal, 1);
  if (chain == UNTIL) return belay_signal_chain(signal, belay_op_take_until(belay_signal_never()));
  return signal;
}

static void never_due(uv_timer_t *timer) {}

/* The host's loop has a timer that keeps it alive. */
static void play(int shared, enum chain chain) {
  uv_timer_t timer;
  CHECK_INT(uv_loop_init(&uv), 0);
  uv_timer_init(&uv, &timer);
  uv_timer_start(&timer, never_due, 100000000, 0);
  loop = belay_loop_adopt(&uv, &BELAY_INIT(belay_loop_options, .quiet = 1));
  source = belay_subject_create(&BELAY_INIT(belay_source_options, .shared = shared));
  belay_signal *signal = chained(belay_signal_retain(source), chain);
  heard = 0;
  belay_observer observer = {.size = sizeof observer, .next = empty_the_queue};
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  in_thread(send_three, NULL);
  for (int i = 0; i < 2; i++) uv_run(&uv, UV_RUN_NOWAIT);
  /* Values that were accepted come before the interruption by the last handle's release. */
  CHECK_INT(heard, closes || act & DISPOSES ? 1 : 3);
  end_subscription(subscription);
  belay_signal_release(source);
  if (!closes) CHECK(belay_loop_close(loop, NULL, NULL, NULL) >= 0);
  belay_loop_release(loop);
  uv_close((uv_handle_t *)&timer, NULL);
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
  belay_last_error();
}

static void play_all(void) {
  for (int shared = 0; shared < 2; shared++)
    for (int chain = PLAIN; chain < CHAINS; chain++)
      for (act = NOTHING; act < ACTS; act++)
        /* The values of a shared source that nothing is chained to do not wait. */
        if (!shared || chain != PLAIN) play(shared, (enum chain)chain);
}

static void a_turn_inside_empties_the_queue_of_what_it_was_called_for(void) {
  closes = 0;
  play_all();
}
static void so_does_a_close_inside(void) {
  closes = 1;
  play_all();
}

static const test_case cases[] = {
    CASE(a_turn_inside_empties_the_queue_of_what_it_was_called_for),
    CASE(so_does_a_close_inside),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
