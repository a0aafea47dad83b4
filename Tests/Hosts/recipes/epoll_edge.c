/* Edge-triggered epoll: an edge stands for everything that is there, so turns follow until the
   descriptor is silent. A callback may wait in the same way. */
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "guest.h"

typedef struct server {
  int epoll;
  guest *guest;
  int depth; /* how many runs are inside of each other */
} server;

static int is_readable(int fd) {
  struct pollfd watched = {fd, POLLIN, 0};
  return poll(&watched, 1, 0) == 1;
}

static void run(server *server) {
  int depth = ++server->depth;
  while (server->depth == depth) {
    /* A nested run begins inside of a turn, whose edge has been taken. */
    while (server->depth == depth && is_readable(guest_fd(server->guest)))
      guest_turn(server->guest);
    struct epoll_event event;
    if (server->depth == depth) epoll_wait(server->epoll, &event, 1, -1);
  }
}

static void enter(void *server) { run(server); }
static void leave(void *ctx) { ((server *)ctx)->depth--; }

int main(void) {
  server server = {epoll_create1(EPOLL_CLOEXEC), NULL, 0};
  host_loop host = {&server, enter, leave};
  server.guest = guest_begin(&host);
  struct epoll_event event = {.events = EPOLLIN | EPOLLET};
  if (epoll_ctl(server.epoll, EPOLL_CTL_ADD, guest_fd(server.guest), &event) < 0) return 1;
  run(&server);
  close(server.epoll);
  return guest_end(server.guest);
}
