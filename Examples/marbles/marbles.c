/* A program's own signals, proved by diagrams, in no time: the search field of an address book looks
   up what was typed when typing has paused, and drops the answer to what is not asked any more.

   The first test passes. The second one expects something wrong, to show how that is told. */
#include <belay/testing.h>
#include <stdio.h>

/* The server answers 5 ms after a question, with the question's text in brackets. */
typedef struct server {
  belay_scheduler *time;
} server;

static belay_signal *look_up(void *ctx, belay_value text) {
  server *it = ctx;
  return belay_signal_chain(belay_signal_just(belay_array_of((belay_value[]){
                                belay_value_retain(text)}, 1)),
                            belay_op_delay(it->time, 0.005));
}

/* The signal under test. In the real program `time` is the loop's scheduler. */
static belay_signal *search(belay_signal *typed, server *server) {
  return belay_signal_chain(typed, belay_op_debounce(server->time, 0.002),
                            belay_op_distinct_until_changed(NULL, NULL, NULL),
                            belay_op_switch_map(look_up, server, NULL));
}

static void test(const char *title, const char *typing, const char *expected) {
  belay_marbles *marbles = belay_marbles_create();
  server server = {belay_marbles_get_scheduler(marbles)};
  /* The values of the letters in the expected diagram. */
  belay_marbles_define(marbles, 'x', belay_array_of((belay_value[]){belay_string("b")}, 1));
  belay_marbles_define(marbles, 'y', belay_array_of((belay_value[]){belay_string("c")}, 1));

  belay_signal *typed = belay_marbles_hot(marbles, typing);
  belay_marbles_expect(marbles, search(typed, &server), NULL, expected);
  int code = belay_marbles_run(marbles);
  printf("%s: %s\n", title, code < 0 ? belay_error_message(belay_last_error()) : "passed");
  belay_marbles_release(marbles);
}

int main(void) {
  test("b, then c while b is looked up", "-ab---c---------|", "-------------y--|");
  test("what is wrong", "-ab-------------|", "---------y------|");
  return belay_live_count(BELAY_LIVE_KINDS) != 0;
}
