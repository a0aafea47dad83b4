/* What a close drops sends one more value, from another thread. That is refused, or counted as lost,
   too. */
#include "worker.h"

static belay_signal *source;
static belay_subscriber *producer;
static unsigned sent, accepted;
static void send_owned(belay_free_fn destroy) {
  belay_value value = belay_pointer_owned(&sent, destroy);
  sent++;
  int code = producer ? belay_subscriber_next(producer, value) : belay_subject_next(source, value);
  accepted += code >= 0;
}
static void destroy_silently(void *pointer) { (void)pointer; }
static void send_last(void *ctx) {
  (void)ctx;
  send_owned(destroy_silently);
}
static void destroy_and_send(void *pointer) {
  (void)pointer;
  in_thread(send_last, NULL);
}
static void send_first(void *ctx) {
  (void)ctx;
  send_owned(destroy_and_send);
}
static belay_disposable *keep_producer(void *ctx, belay_subscriber *subscriber) {
  (void)ctx;
  producer = belay_subscriber_retain(subscriber);
  return NULL;
}
static void what_comes_while_a_close_drops_others(void) {
  for (int kind = 0; kind < 3; kind++) {
    belay_loop *loop = open_loop();
    belay_source_options options = {.size = sizeof options, .shared = kind == 1};
    producer = NULL;
    sent = accepted = 0;
    source = kind == 2 ? belay_signal_create(keep_producer, NULL, NULL, NULL)
                       : belay_subject_create(&options);
    belay_observer observer = {.size = sizeof observer, .loop = loop};
    CHECK_INT(belay_signal_subscribe(source, &observer, NULL), 0);
    in_thread(send_first, NULL);
    uint64_t lost_before = belay_lost_count();
    CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
    belay_loop_release(loop);
    CHECK_INT(sent, 2);
    CHECK_INT(belay_lost_count() - lost_before, accepted);
    if (producer) belay_subscriber_release(producer);
    belay_signal_release(source);
    belay_last_error();
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {CASE(what_comes_while_a_close_drops_others)};
  return RUN_CASES(cases);
}
