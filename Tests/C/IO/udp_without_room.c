/* UDP where the system has no room for what is sent. */
#define _GNU_SOURCE
#include "fds.h"
#include "in_a_child.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* The loopback interface always has room. So a filter answers EAGAIN to each call that sends. */
static int leave_no_room(void) {
#if defined __x86_64__ || defined __aarch64__
#define JUMP(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      JUMP(SYS_sendmsg, 3, 0),
      JUMP(SYS_sendto, 2, 0),
      JUMP(SYS_sendmmsg, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
  };
  struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
#else
  return -1;
#endif
}

enum { skipped = 77 };
#if defined EMULATED || !(defined __x86_64__ || defined __aarch64__)
#define IS_EMULATED 1
#else
#define IS_EMULATED 0
#endif

/* Traces an error, and in other values nothing. */
static void note(void *ctx, belay_value value) {
  belay_value what;
  CHECK_INT(belay_value_get_item(value, 0, &what), 0);
  if (belay_value_is_error(what))
    trace("%s", belay_error_message(belay_value_get_error(what)));
}

static void send_without_room(void) {
  begin();
  belay_signal *outgoing = belay_subject_create(NULL);
  belay_udp_options options = BELAY_INIT(belay_udp_options);
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  options.remote_host = "127.0.0.1";
  options.remote_port = 9;
  observer.next = note;
  belay_signal *socket = belay_udp(loop, outgoing, &options);
  CHECK_INT(belay_signal_subscribe(socket, &observer, &subscription), 0);
  belay_signal_release(socket);
  if (leave_no_room() != 0) _exit(skipped);
  for (int i = 0; i < 2; i++) CHECK_INT(belay_subject_next(outgoing, belay_string("hello")), 0);
#define REFUSED "udp 127.0.0.1 port 9: resource temporarily unavailable"
  CHECK_TRACE(REFUSED " | " REFUSED);
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  belay_signal_release(outgoing);
  run_to_end(loop);
  finish();
}
static const test_case in_the_child[] = {CASE(send_without_room)};

static void each_datagram_is_refused(void) {
  int code = run_in_a_child(in_the_child, 1);
  if (code == skipped && IS_EMULATED) printf("skipped: there is no seccomp here\n");
  else CHECK_INT(code, 0);
}

static const test_case cases[] = {CASE(each_datagram_is_refused)};

int main(int argc, char **argv) { return RUN_CASES(cases); }
