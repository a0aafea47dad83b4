#define _GNU_SOURCE
#include "crowd.h"

#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 60 /* seconds without a line, after which something is wrong */
#define MARK " # "  /* in front of the number of a line and the time at which it was sent */

typedef struct member {
  int fd;
  unsigned room;
  uint64_t heard; /* lines of speakers */
  size_t size;
  char input[4096];
} member;

typedef struct room {
  uint64_t sent, delivered;
} room;

struct crowd {
  int epoll;
  unsigned count, room_size, room_count;
  member *members;
  room *rooms;
  uint64_t greeted, joined, delivered;
  double *latencies; /* NULL: not wanted */
  size_t latency_count, latency_capacity;
};

double seconds_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- what they hear ---- */

/* Each line comes once, to each member, in its order: that is what the server is for. */
static void hear_speaker(crowd *it, member *member, const char *mark) {
  unsigned long long number;
  double sent;
  if (sscanf(mark + strlen(MARK), "%llu %lf", &number, &sent) != 2) errx(3, "a line is garbled");
  if (number != member->heard)
    errx(3, "line %llu where %llu was due", number, (unsigned long long)member->heard);
  member->heard++;
  it->rooms[member->room].delivered++;
  it->delivered++;
  if (it->latencies && it->latency_count < it->latency_capacity)
    it->latencies[it->latency_count++] = seconds_now() - sent;
}

static void hear_line(crowd *it, member *member, char *line) {
  const char *mark = strstr(line, MARK);
  if (mark) hear_speaker(it, member, mark);
  else if (strstr(line, "* hello")) it->greeted++;
  else if (strstr(line, " joined ")) it->joined++;
  else errx(3, "a client hears \"%s\"", line);
}

static void read_member(crowd *it, member *member) {
  ssize_t size =
      read(member->fd, member->input + member->size, sizeof member->input - member->size);
  if (size < 0 && errno == EAGAIN) return;
  if (size <= 0) errx(3, "a client has lost its connection");
  member->size += (size_t)size;
  char *line = member->input, *limit = member->input + member->size, *end;
  while ((end = memchr(line, '\n', (size_t)(limit - line)))) {
    *end = 0;
    hear_line(it, member, line);
    line = end + 1;
  }
  member->size = (size_t)(limit - line);
  memmove(member->input, line, member->size);
}

/* Reads what comes in so many milliseconds, or at once what is there. */
static void listen_for(crowd *it, int milliseconds) {
  struct epoll_event events[256];
  int count = epoll_wait(it->epoll, events, 256, milliseconds);
  for (int i = 0; i < count; i++) read_member(it, events[i].data.ptr);
}

static void await(crowd *it, const uint64_t *count, uint64_t wanted) {
  double end = seconds_now() + PATIENCE;
  while (*count < wanted) {
    listen_for(it, 100);
    if (seconds_now() > end)
      errx(3, "%llu of %llu lines", (unsigned long long)*count, (unsigned long long)wanted);
  }
}

/* ---- what they say ---- */

static void say(crowd *it, unsigned index, const char *text, size_t size) {
  if (write(it->members[index].fd, text, size) != (ssize_t)size) err(3, "a client cannot write");
}

static void speak(crowd *it, unsigned index) {
  char text[128];
  room *room = &it->rooms[index];
  int size = snprintf(text, sizeof text, "a line of the usual length, no more" MARK "%llu %.9f\n",
                      (unsigned long long)room->sent++, seconds_now());
  say(it, index * it->room_size, text, (size_t)size);
}

static uint64_t total_of(const crowd *it) {
  uint64_t total = 0;
  for (unsigned i = 0; i < it->room_count; i++) total += it->rooms[i].sent * it->room_size;
  return total;
}

/* ---- phases ---- */

static void connect_member(crowd *it, unsigned index, int port) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  member *member = &it->members[index];
  int yes = 1;
  member->room = index / it->room_size;
  member->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (member->fd < 0 || connect(member->fd, (struct sockaddr *)&address, sizeof address) < 0)
    err(2, "connection %u (see ulimit -n)", index);
  setsockopt(member->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = member};
  if (epoll_ctl(it->epoll, EPOLL_CTL_ADD, member->fd, &event) < 0) err(2, "epoll");
}

crowd *crowd_connect(int port, unsigned connections, unsigned room_size) {
  crowd *it = calloc(1, sizeof *it);
  if (!it) err(2, NULL);
  it->epoll = epoll_create1(EPOLL_CLOEXEC);
  it->count = connections;
  it->room_size = room_size;
  it->room_count = connections / room_size;
  it->members = calloc(connections, sizeof *it->members);
  it->rooms = calloc(it->room_count, sizeof *it->rooms);
  if (it->epoll < 0 || !it->members || !it->rooms) err(2, NULL);
  for (unsigned i = 0; i < connections; i++) connect_member(it, i, port);
  await(it, &it->greeted, connections);
  return it;
}

void crowd_join(crowd *it) {
  char text[64];
  uint64_t wanted = 0;
  for (unsigned i = 0; i < it->count; i++) {
    int size = snprintf(text, sizeof text, "/join room%u\n", i / it->room_size);
    say(it, i, text, (size_t)size);
    wanted += i % it->room_size + 1; /* those who are there, and itself */
    await(it, &it->joined, wanted);
  }
}

double crowd_flood(crowd *it, double seconds, unsigned window) {
  double begin = seconds_now();
  uint64_t before = it->delivered;
  while (seconds_now() < begin + seconds) {
    for (unsigned i = 0; i < it->room_count; i++)
      while (it->rooms[i].sent * it->room_size - it->rooms[i].delivered < window * it->room_size)
        speak(it, i);
    listen_for(it, 100);
  }
  await(it, &it->delivered, total_of(it));
  return (double)(it->delivered - before) / (seconds_now() - begin);
}

static int compare(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

double crowd_pace(crowd *it, double seconds, double rate) {
  it->latency_count = 0;
  it->latency_capacity = (size_t)(seconds * rate + 1) * it->room_size;
  it->latencies = malloc(it->latency_capacity * sizeof *it->latencies);
  if (!it->latencies) err(2, NULL);
  double begin = seconds_now();
  for (uint64_t said = 0; seconds_now() < begin + seconds;) {
    if (seconds_now() >= begin + (double)said / rate)
      speak(it, (unsigned)(said++ % it->room_count));
    listen_for(it, 0);
  }
  await(it, &it->delivered, total_of(it));
  qsort(it->latencies, it->latency_count, sizeof *it->latencies, compare);
  double result = it->latencies[it->latency_count * 99 / 100];
  free(it->latencies);
  it->latencies = NULL;
  return result;
}

uint64_t crowd_delivered(const crowd *it) { return it->delivered; }

void crowd_close(crowd *it) {
  for (unsigned i = 0; i < it->count; i++) close(it->members[i].fd);
  close(it->epoll);
  free(it->members);
  free(it->rooms);
  free(it);
}
