/* A plug-in that uses Belay on a thread of a host which knows nothing of it. */
#include <belay/belay.h>
#include <stdlib.h>

static int ticks;
static void tick(void *ctx, belay_value value) {
  (void)ctx, (void)value;
  ticks++;
}

static belay_loop *loop;
static belay_signal *numbers;

/* Afterwards it has a user of the thread's loop, with a subscription that goes on. */
int plugin_begin(void) {
  loop = belay_loop_create(&BELAY_INIT(belay_loop_options, .quiet = 1));
  if (!loop) return 0;
  numbers = belay_signal_interval(belay_loop_get_scheduler(loop), 0.001);
  belay_observer observer = BELAY_INIT(belay_observer, .next = tick, .loop = loop);
  if (belay_signal_subscribe(numbers, &observer, NULL) < 0) return 0;
  while (ticks < 3) belay_loop_run(loop, BELAY_RUN_ONCE);
  return 1;
}

/* Nothing of it is called when this has returned, but Belay's own end of a thread. */
int plugin_end(void) {
  int before = ticks;
  while (ticks < before + 3) belay_loop_run(loop, BELAY_RUN_ONCE);
  belay_signal_release(numbers);
  if (belay_loop_close(loop, NULL, NULL, NULL) < 0) return 0;
  belay_loop_release(loop);
  return 1;
}
