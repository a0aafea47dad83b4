#include <belay/belay.h>
#include <stdio.h>

static int32_t number(belay_value v) { int32_t n = 0; belay_value_get_int32(v, &n); return n; }
static int is_even(void *ctx, belay_value v) { return number(v) % 2 == 0; }
static belay_value square(void *ctx, belay_value v) { return BELAY_VALUE(number(v) * number(v)); }
static void print(void *ctx, belay_value v) { printf("%s sees %d\n", (char *)ctx, number(v)); }
static void closing(void *window) { printf("%s is closed\n", (char *)window); }
static void drop(void *owner) { belay_owner_release(owner); }

int main(void) {
  belay_loop *loop = belay_loop_create(NULL);
  if (!loop) {
    fprintf(stderr, "%s\n", belay_error_message(belay_last_error()));
    return 1;
  }
  belay_owner *window = belay_owner_create("window", closing, NULL, NULL);
  belay_signal *numbers = belay_subject_create(NULL);
  belay_signal *squares = belay_signal_chain(belay_signal_retain(numbers),
      belay_op_filter(is_even, NULL, NULL), belay_op_map(square, NULL, NULL));
  belay_signal_subscribe(squares, &BELAY_INIT(belay_observer, .next = print, .ctx = "window",
                                              .owner = window), NULL);

  for (int i = 1; i <= 4; i++) belay_subject_next(numbers, BELAY_VALUE(i));
  belay_scheduler_after(belay_loop_get_scheduler(loop), 0.1, drop, window, NULL, NULL);
  belay_loop_run(loop, BELAY_RUN_DEFAULT); /* the window goes, and its subscription with it */
  printf("%zu are listening\n", belay_subject_count(numbers));

  belay_signal_release(squares);
  belay_signal_release(numbers);
  belay_loop_release(loop);
}
