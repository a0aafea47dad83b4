/* The other end: a small server of HTTP/1.1, on libuv alone, for a process of its own. */
#ifndef FETCH_SERVER_H
#define FETCH_SERVER_H

/* Listens on a free port of 127.0.0.1 and prints "port N". With `expected` above 0 nothing is
   answered before that many requests are there together, it ends with the last of them, and fails
   when that takes longer than half a minute; with 0 it goes on until SIGTERM. At the end it prints
   what it saw, "R requests, M at once, F finished, C closed early". Returns the exit code. */
int serve(unsigned expected);

#endif
