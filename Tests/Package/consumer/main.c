#include <belay/belay.h>
#include <stdio.h>

static int deaths;
static void count_death(void *object) { deaths += object == &deaths; }

int main(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_owner *owner = belay_owner_create(&deaths, count_death, NULL, NULL);
  belay_owner_release(owner);
  int rc = belay_loop_run(loop, BELAY_RUN_DEFAULT);
  belay_loop_close(loop, NULL, NULL, NULL);
  belay_loop_release(loop);
  printf("%d death, run gave %d\n", deaths, rc);
  return !(loop && deaths == 1 && rc == 0 && belay_live_count(BELAY_LIVE_OWNERS) == 0);
}
