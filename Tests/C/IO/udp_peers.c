/* UDP sockets that have one peer, what is no datagram, and an end while they send. Also what is no
   content of a file, and a long name of one. */
#define _GNU_SOURCE
#include "fds.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

/* ---- plain sockets ---- */

static struct sockaddr_in local(int port) {
  return (struct sockaddr_in){.sin_family = AF_INET,
                              .sin_port = htons((uint16_t)port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int port_of(int fd) {
  struct sockaddr_in address;
  socklen_t size = sizeof address;
  CHECK_INT(getsockname(fd, (void *)&address, &size), 0);
  return ntohs(address.sin_port);
}

static int open_plainly(void) {
  struct sockaddr_in address = local(0);
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  CHECK_INT(bind(fd, (void *)&address, sizeof address), 0);
  return fd;
}

static void send_plainly(int fd, const char *text, int port) {
  struct sockaddr_in address = local(port);
  CHECK_INT(sendto(fd, text, strlen(text), 0, (void *)&address, sizeof address), strlen(text));
}

/* Waits for the next datagram. Answers whether it is this one. */
static int next_is(int fd, const char *expected) {
  char text[64] = "";
  struct pollfd poll_for = {fd, POLLIN, 0};
  CHECK_INT(poll(&poll_for, 1, 60000), 1);
  CHECK(recv(fd, text, sizeof text - 1, MSG_DONTWAIT) >= 0);
  CHECK_STRING(text, expected);
  return strcmp(text, expected) == 0;
}

/* From now on it gets datagrams of this port alone; the system refuses others. */
static void hear_only(int fd, int port) {
  struct sockaddr_in address = local(port);
  CHECK_INT(syscall(SYS_connect, fd, &address, sizeof address), 0);
}

/* A stranger, who sends to each UDP socket that is about to get its peer. */
static int stranger = -1;
int connect(int fd, const struct sockaddr *address, socklen_t size) {
  if (stranger >= 0) send_plainly(stranger, "strange", port_of(fd));
  return (int)syscall(SYS_connect, fd, address, size);
}

/* ---- the socket under test ---- */

static belay_signal *outgoing;
static belay_disposable *subscription;
static int port;

/* Traces "bound", "got text" and "refused CODE". */
static void note(void *ctx, belay_value value) {
  belay_value what, number;
  belay_view bytes = {"", 0};
  CHECK_INT(belay_value_get_item(value, 0, &what), 0);
  CHECK_INT(belay_value_get_item(value, 2, &number), 0);
  if (belay_value_is_error(what)) {
    trace("refused %s", belay_error_name(belay_error_code(belay_value_get_error(what))));
  } else if (belay_value_is_null(what)) {
    port = int_of(number);
    trace("bound");
  } else {
    CHECK_INT(belay_value_get_bytes(what, &bytes), 0);
    trace("got %.*s", (int)bytes.size, bytes.data);
  }
}

/* Opens one that sends what `signal` sends, to a port of this machine. */
static void open_udp(int remote_port, belay_signal *signal, void (*next)(void *, belay_value)) {
  belay_udp_options options = BELAY_INIT(belay_udp_options);
  belay_observer observer = tracing("");
  options.host = options.remote_host = "127.0.0.1";
  options.remote_port = (uint16_t)remote_port;
  observer.next = next;
  observer.error = trace_message;
  outgoing = signal;
  belay_signal *udp = belay_udp(loop, outgoing, &options);
  CHECK(udp != NULL);
  CHECK_INT(belay_signal_subscribe(udp, &observer, &subscription), 0);
  belay_signal_release(udp);
}

static void close_udp(void) {
  end_subscription(subscription);
  belay_signal_release(outgoing);
  CHECK_TRACE("disposed | free");
  run_to_end(loop);
}

static void say(belay_value value) { CHECK_INT(belay_subject_next(outgoing, value), 0); }

static void datagrams_of_strangers_do_not_come(void) {
  begin();
  int peer = open_plainly();
  stranger = open_plainly();
  for (int i = 0; i < 20; i++) {
    open_udp(port_of(peer), belay_subject_create(NULL), note);
    send_plainly(peer, "known", port);
    run_until_traced("got known");
    CHECK_TRACE("bound | got known");
    close_udp();
  }
  close(stranger);
  stranger = -1;
  close(peer);
  finish();
}

/* Waits until the system has something to tell the loop. */
static void await_news(void) {
  struct pollfd poll_for = {belay_loop_backend_fd(loop), POLLIN, 0};
  CHECK_INT(poll(&poll_for, 1, 60000), 1);
}

static void what_is_sent_after_a_refusal_arrives(void) {
  begin();
  int other = open_plainly(), peer = open_plainly();
  open_udp(port_of(peer), belay_subject_create(NULL), note);
  CHECK_TRACE("bound");
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  for (int i = 0, arrives = 1; i < 3 && arrives; i++) {
    hear_only(peer, port_of(other));
    say(belay_string("refused"));
    await_news();
    hear_only(peer, port);
    say(belay_string("one"));
    CHECK_TRACE("refused ECONNREFUSED");
    say(belay_string("two"));
    arrives = next_is(peer, "one") && next_is(peer, "two");
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    CHECK_TRACE("");
  }
  close_udp();
  close(other);
  close(peer);
  finish();
}

typedef struct pixel {
  unsigned char red, green, blue;
} pixel;
static belay_value a_struct(void) { return BELAY_STRUCT(pixel, (&(pixel){1, 2, 3})); }

/* libuv takes an interface that does not exist for none. */
static void an_interface_that_does_not_exist(void) {
  belay_udp_options options = BELAY_INIT(belay_udp_options, .interface_host = "::%nosuch");
  begin();
  watch(belay_udp(loop, NULL, &options), "");
  CHECK_TRACE("error ENODEV | disposed | free");
  CHECK(!belay_tcp_listen(loop, "::1%nosuch", 0, NULL));
  check_last_error(BELAY_EINVAL);
  run_to_end(loop);
  finish();
}

static void a_structure_is_no_datagram(void) {
  begin();
  int peer = open_plainly();
  open_udp(port_of(peer), belay_subject_create(NULL), note);
  say(a_struct());
  CHECK_TRACE("bound | refused EKIND");
  belay_value items[] = {a_struct(), belay_string("127.0.0.1"), belay_int32(port_of(peer))};
  say(belay_array_of(items, 3));
  CHECK_TRACE("refused EKIND");
  say(belay_string("text"));
  next_is(peer, "text");
  CHECK_TRACE("");
  close_udp();
  close(peer);
  finish();
}

/* ---- an end while it sends ---- */

enum { ENDLESS = 100000 };
static int made;
static belay_value count_made(void *ctx, belay_value value) {
  made++;
  return belay_value_retain(value);
}
static void dispose_at_the_third(void *ctx, belay_value value) {
  note(ctx, value);
  if (strstr(trace_text(), "EKIND | refused EKIND | refused EKIND"))
    belay_disposable_dispose(subscription);
}

/* Its values are none that can be sent, and come as the socket opens. */
static void what_it_sends_without_end_ends_with_it(void) {
  begin();
  int peer = open_plainly();
  made = 0;
  open_udp(port_of(peer),
           belay_signal_chain(belay_signal_repeat_value(belay_int32(1), ENDLESS),
                              belay_op_map(count_made, NULL, NULL)),
           dispose_at_the_third);
  run_to_end(loop);
  CHECK(made < ENDLESS);
  CHECK_TRACE("refused EKIND | refused EKIND | refused EKIND | disposed | free");
  belay_disposable_release(subscription);
  belay_signal_release(outgoing);
  close(peer);
  finish();
}

/* Here the first value comes while it begins, and its source has no other. */
static void dispose_at_the_first(void *ctx, belay_value value) {
  note(ctx, value);
  if (strstr(trace_text(), "EKIND")) belay_disposable_dispose(subscription);
}
static void nor_does_it_keep_a_source_that_stays(void) {
  begin();
  int peer = open_plainly();
  belay_signal *stays = belay_subject_create_behavior(belay_int32(1), NULL);
  open_udp(port_of(peer), belay_signal_retain(stays), dispose_at_the_first);
  run_to_end(loop);
  CHECK_TRACE("refused EKIND | disposed | free");
  CHECK_INT(belay_subject_count(stays), 0);
  belay_disposable_release(subscription);
  belay_signal_release(stays);
  belay_signal_release(outgoing);
  close(peer);
  finish();
}

/* ---- files ---- */

static void a_structure_is_no_content_of_a_file(void) {
  begin();
  CHECK(belay_file_write(loop, in_folder("file"), a_struct()) == NULL);
  check_last_error(BELAY_EKIND);
  run_to_end(loop);
  CHECK_INT(access(in_folder("file"), F_OK), -1);
  finish();
}

/* The file beside it cannot have a longer one. */
static void a_file_of_the_longest_name_is_written(void) {
  char name[1024] = "", path[sizeof folder + sizeof name], text[8] = "";
  begin();
  memset(name, 'n', (size_t)pathconf(folder, _PC_NAME_MAX)); /* 255 nearly everywhere */
  snprintf(path, sizeof path, "%s/%s", folder, name);
  for (int i = 0; i < 2; i++) {
    watch(belay_file_write(loop, path, belay_string(i ? "second" : "first")), "");
    run_to_end(loop);
    CHECK_TRACE("next null | completed | disposed | free");
    memset(text, 0, sizeof text);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    CHECK(read(file, text, sizeof text - 1) > 0);
    close(file);
    CHECK_STRING(text, i ? "second" : "first");
  }
  /* Nothing else is in the folder. */
  CHECK_INT(unlink(path), 0);
  CHECK_INT(rmdir(folder), 0);
  finish();
}

static const test_case cases[] = {
    CASE(datagrams_of_strangers_do_not_come),
    CASE(what_is_sent_after_a_refusal_arrives),
    CASE(an_interface_that_does_not_exist),
    CASE(a_structure_is_no_datagram),
    CASE(what_it_sends_without_end_ends_with_it),
    CASE(nor_does_it_keep_a_source_that_stays),
    CASE(a_structure_is_no_content_of_a_file),
    CASE(a_file_of_the_longest_name_is_written),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
