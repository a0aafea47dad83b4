/* UDP sockets. */
#define _GNU_SOURCE
#include "fds.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

/* A socket under test: what it sends, where it is, and its subscription. */
typedef struct udp {
  belay_signal *outgoing;
  belay_disposable *subscription;
  int port;
  const char *name;
} udp;

/* Traces "name bound", "name got text" and "name refused CODE port". */
static void note(void *ctx, belay_value value) {
  udp *it = ctx;
  belay_value what, host, port;
  belay_view bytes = {"", 0}, text = {"", 0};
  uint32_t number = 0;
  CHECK_INT(belay_value_count(value), 3);
  CHECK_INT(belay_value_get_item(value, 0, &what), 0);
  CHECK_INT(belay_value_get_item(value, 1, &host), 0);
  CHECK_INT(belay_value_get_item(value, 2, &port), 0);
  CHECK_INT(belay_value_get_uint32(port, &number), 0);
  if (belay_value_is_error(what)) {
    trace("%s refused %s %s", it->name,
          belay_error_name(belay_error_code(belay_value_get_error(what))),
          belay_error_message(belay_value_get_error(what)));
    return;
  }
  CHECK_INT(belay_value_get_string(host, &text), 0);
  CHECK(number > 0);
  if (belay_value_is_null(what)) {
    it->port = (int)number;
    trace("%s bound %.*s", it->name, (int)text.size, text.data);
  } else {
    CHECK_INT(belay_value_get_bytes(what, &bytes), 0);
    trace("%s got %.*s", it->name, (int)bytes.size, bytes.data);
  }
}

static void note_error(void *ctx, const belay_error *error) {
  udp *it = ctx;
  trace("%s error %s: %s", it->name, belay_error_name(belay_error_code(error)),
        belay_error_message(error));
}
static void note_end(void *ctx) { trace("%s free", ((udp *)ctx)->name); }

static udp open_udp(udp *it, const char *name, const belay_udp_options *options) {
  belay_observer observer = BELAY_INIT(belay_observer);
  it->name = name;
  it->port = 0;
  it->outgoing = belay_subject_create(NULL);
  observer.next = note;
  observer.error = note_error;
  observer.ctx = it;
  observer.ctx_free = note_end;
  belay_signal *signal = belay_udp(loop, it->outgoing, options);
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &it->subscription), 0);
  belay_signal_release(signal);
  return *it;
}

static void close_udp(udp *it) {
  end_subscription(it->subscription);
  belay_signal_release(it->outgoing);
}

static void send_text(udp *from, const char *text, const char *host, int port) {
  belay_value items[] = {belay_string(text), belay_string(host), belay_int32(port)};
  belay_value value = belay_array_of(items, 3);
  CHECK_INT(belay_subject_next(from->outgoing, value), 0);
}

static belay_udp_options local(void) {
  belay_udp_options options = BELAY_INIT(belay_udp_options);
  options.host = "127.0.0.1";
  return options;
}

static void there_and_back(void) {
  begin();
  udp one, two;
  belay_udp_options options = local();
  open_udp(&one, "one", &options);
  open_udp(&two, "two", &options);
  CHECK_TRACE("one bound 127.0.0.1 | two bound 127.0.0.1");
  CHECK(one.port != two.port);
  send_text(&one, "hello", "127.0.0.1", two.port);
  run_until_traced("two got hello");
  send_text(&two, "and back", "127.0.0.1", one.port);
  send_text(&two, "", "127.0.0.1", one.port);
  send_text(&two, "end", "127.0.0.1", one.port);
  run_until_traced("one got end");
  CHECK_TRACE("two got hello | one got and back | one got  | one got end");
  close_udp(&one);
  CHECK_TRACE("one free");
  close_udp(&two);
  trace_clear();
  run_to_end(loop);
  finish();
}

static void by_version_6(void) {
  begin();
  udp one;
  belay_udp_options options = BELAY_INIT(belay_udp_options);
  options.host = "::1";
  open_udp(&one, "one", &options);
  if (one.port) {
    send_text(&one, "to itself", "::1", one.port);
    run_until_traced("one got to itself");
  }
  close_udp(&one);
  trace_clear();
  run_to_end(loop);
  finish();
}

static void answer(void *ctx, belay_value value) {
  udp *it = ctx;
  note(ctx, value);
  if (strcmp(it->name, "asks") == 0 && strstr(trace_text(), "got") == NULL)
    send_text(it, "at once", "127.0.0.1", it->port);
}

static void what_it_sends_when_it_is_bound(void) {
  begin();
  udp it = {belay_subject_create(NULL), NULL, 0, "asks"};
  belay_udp_options options = local();
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = answer;
  observer.ctx = &it;
  belay_signal *signal = belay_udp(loop, it.outgoing, &options);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &it.subscription), 0);
  belay_signal_release(signal);
  run_until_traced("asks got at once");
  close_udp(&it);
  trace_clear();
  run_to_end(loop);
  finish();
}

static void connected(void) {
  begin();
  udp server, client;
  belay_udp_options options = local(), to = BELAY_INIT(belay_udp_options);
  open_udp(&server, "server", &options);
  to.remote_host = "127.0.0.1";
  to.remote_port = (uint16_t)server.port;
  open_udp(&client, "client", &to);
  CHECK_INT(belay_subject_next(client.outgoing, belay_bytes("plain", 5)), 0);
  run_until_traced("server got plain");
  /* Nobody is there any more, which the system tells. */
  close_udp(&server);
  trace_clear();
  run_until_traced("");
  CHECK_INT(belay_subject_next(client.outgoing, belay_string("lost")), 0);
  run_until_traced("client refused ECONNREFUSED");
  close_udp(&client);
  trace_clear();
  run_to_end(loop);
  finish();
}

static void what_cannot_be_sent(void) {
  begin();
  udp one;
  belay_udp_options options = local();
  char *large = calloc(1, 70001);
  memset(large, 'x', 70000);
  open_udp(&one, "one", &options);
  trace_clear();
  send_text(&one, large, "127.0.0.1", one.port);
  CHECK(strncmp(trace_text(), "one refused EMSGSIZE udp 127.0.0.1 port ", 40) == 0);
  trace_clear();
  send_text(&one, "text", "not an address", 1);
  CHECK_TRACE("one refused EINVAL udp not an address port 1: invalid argument");
  CHECK_INT(belay_subject_next(one.outgoing, belay_int32(1)), 0);
  CHECK_TRACE("one refused EKIND udp: a value that is no datagram");
  send_text(&one, "text", "127.0.0.1", 70000);
  CHECK_TRACE("one refused EKIND udp: a value that is no datagram");
  /* Bytes alone need an address of the socket's. */
  CHECK_INT(belay_subject_next(one.outgoing, belay_string("text")), 0);
  CHECK(strncmp(trace_text(), "one refused EDESTADDRREQ udp: ", 30) == 0);
  trace_clear();
  /* It goes on. */
  send_text(&one, "still here", "127.0.0.1", one.port);
  run_until_traced("one got still here");
  fail_subject(one.outgoing, BELAY_ERANGE, "enough");
  CHECK_TRACE("one got still here | one error ERANGE: enough | one free");
  belay_disposable_release(one.subscription);
  belay_signal_release(one.outgoing);
  free(large);
  run_to_end(loop);
  finish();
}

static void an_address_that_is_taken(void) {
  begin();
  udp one, two;
  belay_udp_options options = local();
  open_udp(&one, "one", &options);
  options.port = (uint16_t)one.port;
  trace_clear();
  char expected[200];
  snprintf(expected, sizeof expected,
           "two error EADDRINUSE: udp 127.0.0.1 port %d: address already in use | two free",
           one.port);
  open_udp(&two, "two", &options);
  CHECK_TRACE(expected);
  close_udp(&two);
  close_udp(&one);
  trace_clear();
  options = local();
  options.host = "nowhere";
  open_udp(&one, "one", &options);
  CHECK_TRACE("one error EINVAL: udp nowhere port 0: invalid argument | one free");
  close_udp(&one);
  run_to_end(loop);
  finish();
}

/* An emulator's kernel may not. */
static int knows_multicast(void) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0), yes = 1;
  struct in_addr loopback = {htonl(INADDR_LOOPBACK)};
  int known = setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) == 0 &&
              setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &loopback, sizeof loopback) == 0;
  CHECK(known || errno == ENOPROTOOPT);
  close(fd);
  return known;
}

static void shared_port_and_multicast(void) {
  if (!knows_multicast()) return;
  begin();
  udp one, two, sender;
  const char *groups[] = {"239.255.77.77", NULL};
  belay_udp_options options = BELAY_INIT(belay_udp_options);
  options.flags = BELAY_UDP_SHARE;
  options.groups = groups;
  options.interface_host = "127.0.0.1";
  open_udp(&one, "one", &options);
  options.port = (uint16_t)one.port;
  open_udp(&two, "two", &options);
  CHECK_TRACE("one bound 0.0.0.0 | two bound 0.0.0.0");
  belay_udp_options from = local();
  from.interface_host = "127.0.0.1";
  from.multicast_ttl = 2;
  open_udp(&sender, "sender", &from);
  send_text(&sender, "all", "239.255.77.77", one.port);
  run_until_traced("one got all");
  run_until_traced("two got all");
  trace_clear();
  /* Who has left the group gets nothing more of it. */
  close_udp(&one);
  send_text(&sender, "again", "239.255.77.77", two.port);
  run_until_traced("two got again");
  CHECK(strstr(trace_text(), "one got") == NULL);
  trace_clear();
  /* The loopback interface hears all, so nobody can tell here that it does not loop back. */
  close_udp(&sender);
  from.flags = BELAY_UDP_NO_LOOP;
  open_udp(&sender, "sender", &from);
  send_text(&sender, "once more", "239.255.77.77", two.port);
  run_until_traced("two got once more");
  close_udp(&sender);
  close_udp(&two);
  trace_clear();
  const char *bad[] = {"127.0.0.1", NULL};
  options.port = 0;
  options.groups = bad;
  open_udp(&one, "one", &options);
  CHECK(strncmp(trace_text(), "one error EINVAL: udp multicast group 127.0.0.1: ", 48) == 0);
  close_udp(&one);
  trace_clear();
  run_to_end(loop);
  finish();
}

/* An interface at which plain sockets hear a group of IPv6 that never leaves the machine. */
#define GROUP6 "ff01::7777"
static int hears_group6(unsigned index) {
  struct sockaddr_in6 address = {.sin6_family = AF_INET6};
  struct ipv6_mreq join = {.ipv6mr_interface = index};
  socklen_t size = sizeof address;
  char byte = 'x';
  int in = socket(AF_INET6, SOCK_DGRAM, 0), out = socket(AF_INET6, SOCK_DGRAM, 0);
  inet_pton(AF_INET6, GROUP6, &join.ipv6mr_multiaddr);
  int heard = in >= 0 && out >= 0 && bind(in, (struct sockaddr *)&address, sizeof address) == 0 &&
              getsockname(in, (struct sockaddr *)&address, &size) == 0 &&
              setsockopt(in, IPPROTO_IPV6, IPV6_JOIN_GROUP, &join, sizeof join) == 0 &&
              setsockopt(out, IPPROTO_IPV6, IPV6_MULTICAST_IF, &index, sizeof index) == 0;
  address.sin6_addr = join.ipv6mr_multiaddr;
  heard = heard && sendto(out, &byte, 1, 0, (struct sockaddr *)&address, sizeof address) == 1 &&
          recv(in, &byte, 1, MSG_DONTWAIT) == 1;
  if (in >= 0) close(in);
  if (out >= 0) close(out);
  return heard;
}

static void multicast_of_ipv6(void) {
  char interface[IF_NAMESIZE + 8] = "";
  struct if_nameindex *all = if_nameindex();
  CHECK(all != NULL);
  for (struct if_nameindex *one = all; one->if_index && !*interface; one++)
    if (hears_group6(one->if_index)) snprintf(interface, sizeof interface, "::%%%s", one->if_name);
  if_freenameindex(all);
  if (!*interface) {
    printf("       not tried: no interface of this machine has multicast of IPv6\n");
    return;
  }
  begin();
  udp one, two, sender;
  const char *groups[] = {GROUP6, NULL};
  belay_udp_options options = BELAY_INIT(belay_udp_options);
  options.flags = BELAY_UDP_SHARE;
  options.host = "::";
  options.groups = groups;
  options.interface_host = interface;
  open_udp(&one, "one", &options);
  options.port = (uint16_t)one.port;
  open_udp(&two, "two", &options);
  CHECK_TRACE("one bound :: | two bound ::");
  belay_udp_options from = BELAY_INIT(belay_udp_options);
  from.host = "::";
  from.interface_host = interface;
  from.multicast_ttl = 1;
  open_udp(&sender, "sender", &from);
  send_text(&sender, "all", GROUP6, one.port);
  run_until_traced("one got all");
  run_until_traced("two got all");
  trace_clear();
  close_udp(&one);
  send_text(&sender, "again", GROUP6, two.port);
  run_until_traced("two got again");
  CHECK(strstr(trace_text(), "one got") == NULL);
  close_udp(&sender);
  close_udp(&two);
  trace_clear();
  const char *bad[] = {"::1", NULL};
  options.port = 0;
  options.groups = bad;
  open_udp(&one, "one", &options);
  CHECK(strncmp(trace_text(), "one error EINVAL: udp multicast group ::1: ", 43) == 0);
  close_udp(&one);
  trace_clear();
  run_to_end(loop);
  finish();
}

static void broadcast_needs_leave(void) {
  begin();
  udp one;
  belay_udp_options options = BELAY_INIT(belay_udp_options);
  open_udp(&one, "one", &options);
  trace_clear();
  send_text(&one, "all", "255.255.255.255", 9);
  CHECK(strncmp(trace_text(), "one refused EACCES", 18) == 0);
  close_udp(&one);
  options.flags = BELAY_UDP_BROADCAST;
  open_udp(&one, "one", &options);
  trace_clear();
  send_text(&one, "all", "127.255.255.255", one.port);
  CHECK(strstr(trace_text(), "refused EACCES") == NULL);
  run_until_traced("one got all");
  close_udp(&one);
  trace_clear();
  run_to_end(loop);
  finish();
}

static udp closing;
static void close_in_note(void *ctx, belay_value value) {
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
}

static void closes(void) {
  begin();
  udp one;
  belay_udp_options options = local();
  open_udp(&one, "one", &options);
  for (int i = 0; i < 50; i++) send_text(&one, "waits", "127.0.0.1", one.port);
  trace_clear();
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
  CHECK_TRACE("one free");
  belay_disposable_release(one.subscription);
  belay_signal_release(one.outgoing);
  belay_loop_release(loop);
  /* Inside of its first value, and of a later one. */
  loop = open_loop();
  belay_observer observer = tracing("");
  observer.next = close_in_note;
  closing.outgoing = belay_subject_create(NULL);
  belay_signal *signal = belay_udp(loop, closing.outgoing, &options);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  CHECK(strstr(trace_text(), "disposed | free") != NULL);
  trace_clear();
  belay_signal_release(signal);
  belay_signal_release(closing.outgoing);
  belay_loop_release(loop);
  loop = open_loop();
  finish();
}

static void bad_arguments(void) {
  begin();
  belay_udp_options options = BELAY_INIT(belay_udp_options);
  CHECK(belay_udp(NULL, NULL, NULL) == NULL);
  check_last_error(BELAY_EINVAL);
  options.flags = 8;
  CHECK(belay_udp(loop, NULL, &options) == NULL);
  check_last_error(BELAY_EINVAL);
  options.flags = 0;
  options.multicast_ttl = 256;
  CHECK(belay_udp(loop, NULL, &options) == NULL);
  check_last_error(BELAY_EINVAL);
  options.multicast_ttl = 0;
  options.size = 3;
  CHECK(belay_udp(loop, NULL, &options) == NULL);
  check_last_error(BELAY_EINVAL);
  belay_signal *silent = belay_udp(loop, NULL, NULL);
  CHECK(silent != NULL);
  watch(belay_signal_chain(silent, belay_op_take(1), belay_op_map_to(belay_int32(1))), "");
  CHECK_TRACE("next 1 | completed | disposed | free");
  run_to_end(loop);
  finish();
}

static void make_homeless(void *ctx) { *(belay_signal **)ctx = belay_subject_create(NULL); }

/* The home of `outgoing` is a thread without a loop, which has ended. */
static void what_cannot_be_subscribed_to(void) {
  begin();
  belay_udp_options options = BELAY_INIT(belay_udp_options);
  belay_signal *outgoing = NULL;
  options.host = "127.0.0.1";
  in_thread(make_homeless, &outgoing);
  watch_errors(belay_udp(loop, outgoing, &options));
  run_to_end(loop);
  CHECK(strstr(trace_text(), "error ENOHOME") && strstr(trace_text(), " | disposed | free"));
  trace_clear();
  belay_signal_release(outgoing);
  finish();
}

/* A shared source sends on the threads of its senders. The socket is used at the loop. */
static void send_elsewhere(void *outgoing) {
  for (int i = 0; i < 100; i++) CHECK(belay_subject_next(outgoing, belay_bytes("x", 1)) >= 0);
}
static void what_other_threads_send(void) {
  begin();
  belay_source_options shared = {.size = sizeof shared, .shared = 1};
  udp server;
  open_udp(&server, "server", &(belay_udp_options){.size = sizeof(belay_udp_options), .host = "127.0.0.1"});
  run_until_traced("server bound");
  belay_signal *outgoing = belay_subject_create(&shared);
  belay_udp_options options = BELAY_INIT(belay_udp_options);
  options.remote_host = "127.0.0.1";
  options.remote_port = (uint16_t)server.port;
  belay_disposable *subscription = watched(belay_udp(loop, outgoing, &options), "client ");
  routine sender;
  start_thread(&sender, send_elsewhere, outgoing);
  run_until_traced("server got x | server got x");
  join_thread(&sender);
  end_subscription(subscription);
  belay_signal_release(outgoing);
  close_udp(&server);
  trace_clear();
  run_to_end(loop);
  trace_clear();
  finish();
}

static const test_case cases[] = {
    CASE(there_and_back),
    CASE(by_version_6),
    CASE(what_it_sends_when_it_is_bound),
    CASE(connected),
    CASE(what_cannot_be_sent),
    CASE(what_cannot_be_subscribed_to),
    CASE(what_other_threads_send),
    CASE(an_address_that_is_taken),
    CASE(shared_port_and_multicast),
    CASE(multicast_of_ipv6),
    CASE(broadcast_needs_leave),
    CASE(closes),
    CASE(bad_arguments),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
