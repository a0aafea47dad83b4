/* POSIX signals as a signal: counted, shared, given back. */
#include "counts.h"

#include <signal.h>
#include <unistd.h>

static belay_loop *loop;

static int is_default(int signum) {
  struct sigaction action;
  CHECK_INT(sigaction(signum, NULL, &action), 0);
  return action.sa_handler == SIG_DFL;
}

/* Raises the signal again in each of its first `raises` deliveries, then stops the loop. */
static int raises, received;

static void raise_again(void *ctx, belay_value value) {
  CHECK_INT(belay_value_kind(value), BELAY_KIND_INT32);
  CHECK_INT(int_of(value), SIGUSR1);
  if (++received == raises) stop_loop(loop);
  else CHECK_INT(raise(SIGUSR1), 0);
}

static void each_raise_is_one_value(void) {
  loop = open_counted();
  raises = 50;
  received = 0;
  CHECK(is_default(SIGUSR1));
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  observer.next = raise_again;
  belay_signal *usr1 = belay_posix_signal(loop, SIGUSR1);
  CHECK_INT(belay_signal_subscribe(usr1, &observer, &subscription), 0);
  belay_signal_release(usr1);
  CHECK(!is_default(SIGUSR1));
  CHECK_INT(belay_loop_alive(loop), 1);
  CHECK_INT(raise(SIGUSR1), 0);
  run_until_stopped(loop);
  CHECK_INT(received, raises);
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  CHECK(is_default(SIGUSR1));
  run_to_end(loop);
  close_counted(loop);
}

static void two_subscriptions(void) {
  loop = open_counted();
  belay_signal *usr1 = belay_posix_signal(loop, SIGUSR1);
  watch(belay_signal_chain(belay_signal_retain(usr1), belay_op_take(1)), "one");
  belay_disposable *other = watched(belay_signal_chain(usr1, belay_op_take(2)), "other");
  CHECK_INT(raise(SIGUSR1), 0);
  while (!strstr(trace_text(), "one free") || !strstr(trace_text(), "other next"))
    CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK(strstr(trace_text(), "one next 10 | one completed | one disposed | one free") != NULL);
  CHECK(strstr(trace_text(), "other next 10") != NULL);
  CHECK(strstr(trace_text(), "other completed") == NULL);
  trace_clear();
  /* One of them has left, the other still listens. */
  CHECK(!is_default(SIGUSR1));
  CHECK_INT(raise(SIGUSR1), 0);
  run_to_end(loop);
  CHECK_TRACE("other next 10 | other completed | other disposed | other free");
  CHECK(is_default(SIGUSR1));
  belay_disposable_release(other);
  close_counted(loop);
}

static void signals_of_different_numbers(void) {
  loop = open_counted();
  belay_signal *both[] = {belay_posix_signal(loop, SIGUSR1), belay_posix_signal(loop, SIGUSR2)};
  watch(belay_signal_chain(belay_signal_merge(both, 2), belay_op_take(2)), "");
  CHECK_INT(raise(SIGUSR2), 0);
  CHECK_INT(raise(SIGUSR1), 0);
  run_to_end(loop);
  CHECK(strstr(trace_text(), "next 10") != NULL);
  CHECK(strstr(trace_text(), "next 12") != NULL);
  CHECK(strstr(trace_text(), "completed | disposed | free") != NULL);
  CHECK(is_default(SIGUSR1));
  CHECK(is_default(SIGUSR2));
  close_counted(loop);
}

static void kill_process(void *ctx) { CHECK_INT(kill(getpid(), SIGUSR1), 0); }

static void sent_by_another_thread(void) {
  loop = open_counted();
  routine killer;
  watch(belay_signal_chain(belay_posix_signal(loop, SIGUSR1), belay_op_take(1)), "");
  start_thread(&killer, kill_process, NULL);
  run_to_end(loop);
  join_thread(&killer);
  CHECK_TRACE("next 10 | completed | disposed | free");
  close_counted(loop);
}

static void disposed_before_it_was_delivered(void) {
  loop = open_counted();
  belay_disposable *subscription = watched(belay_posix_signal(loop, SIGUSR1), "");
  CHECK_INT(raise(SIGUSR1), 0);
  end_subscription(subscription);
  run_to_end(loop);
  CHECK_TRACE("disposed | free");
  CHECK(is_default(SIGUSR1));
  close_counted(loop);
}

static void close_gives_the_signal_back(void) {
  loop = open_counted();
  watch(belay_posix_signal(loop, SIGUSR1), "");
  CHECK(!is_default(SIGUSR1));
  belay_loop_release(loop);
  CHECK_TRACE("disposed | free");
  CHECK(is_default(SIGUSR1));
  close_counted(NULL);
}

/* It is refused when it is made, or with an error event of this code. */
static void bad_number(int signum) {
  belay_observer observer = tracing("");
  belay_signal *signal = belay_posix_signal(loop, signum);
  if (!signal) {
    CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
    return;
  }
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK_TRACE("error EINVAL | disposed | free");
}

static void bad_numbers(void) {
  loop = open_counted();
  int bad[] = {0, -1, 9999, SIGKILL, SIGSTOP};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) bad_number(bad[i]);
  CHECK(belay_posix_signal(NULL, SIGUSR1) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  run_to_end(loop);
  close_counted(loop);
}

static const test_case cases[] = {
    CASE(each_raise_is_one_value),
    CASE(two_subscriptions),
    CASE(signals_of_different_numbers),
    CASE(sent_by_another_thread),
    CASE(disposed_before_it_was_delivered),
    CASE(close_gives_the_signal_back),
    CASE(bad_numbers),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
