#include <belay/testing.h>
#include <stdio.h>

/* A test program: the diagrams of testing.h with all of belay.h. */
int main(void) {
  belay_marbles *test = belay_marbles_create();
  belay_signal *source = belay_marbles_cold(test, "--1--2--|");
  belay_marbles_expect(test, belay_signal_chain(source, belay_op_take(1)), NULL, "--(1|)");
  int rc = belay_marbles_run(test);
  if (rc < 0) puts(belay_error_message(belay_last_error()));
  belay_marbles_release(test);
  return rc;
}
