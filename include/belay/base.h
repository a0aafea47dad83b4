/* Declares what every other header needs: export marks, sites, incomplete types, callback types. */
#ifndef BELAY_BASE_H
#define BELAY_BASE_H

#include <stddef.h>
#include <stdint.h>

#include "version.h"

#if defined(__GNUC__)
#define BELAY_EXPORT __attribute__((visibility("default")))
#else
#define BELAY_EXPORT
#endif

/* These marks say who owns an argument or a result, where that differs from docs/conventions.md or
   the page does not say it. They expand to nothing. scripts/api defines them and reads them. */
#ifndef BELAY_TAKES
#define BELAY_TAKES
#define BELAY_GIVES
#define BELAY_BORROWS
#endif

#ifdef __cplusplus
#define BELAY_BEGIN extern "C" {
#define BELAY_END }
#else
#define BELAY_BEGIN
#define BELAY_END
#endif

#define BELAY_STRINGIFY_(x) #x
#define BELAY_STRINGIFY(x) BELAY_STRINGIFY_(x)

/* The place where the macro stands, as a static string "file:line". Use it for every `site`
   below. */
#define BELAY_HERE __FILE__ ":" BELAY_STRINGIFY(__LINE__)

/* As a count: no limit. A count of 0 means none; it is BELAY_EINVAL where none makes no sense. */
#define BELAY_UNLIMITED ((size_t)-1)

typedef struct belay_disposable belay_disposable;
typedef struct belay_bag belay_bag;
typedef struct belay_signal belay_signal;
typedef struct belay_subscriber belay_subscriber;
typedef struct belay_op belay_op;
typedef struct belay_owner belay_owner;
typedef struct belay_weak belay_weak;
typedef struct belay_loop belay_loop;
typedef struct belay_scheduler belay_scheduler;
typedef struct belay_error belay_error;
typedef struct belay_stream belay_stream;

/* Initialises a struct that begins with its size: sets the size and zeroes the rest.
       belay_observer observer = BELAY_INIT(belay_observer);
   In C, members may follow. There the result is a compound literal, and its address can be an
   argument:
       belay_signal_subscribe(source, &BELAY_INIT(belay_observer, .next = draw, .ctx = view), NULL);
   */
#ifdef __cplusplus
extern "C++" {
template <typename Struct>
inline Struct belay_init_() {
  Struct made = Struct();
  made.size = sizeof(Struct);
  return made;
}
}
#define BELAY_INIT(type) (belay_init_<type>())
#else
#define BELAY_INIT(...) BELAY_INIT_(__VA_ARGS__, )
#define BELAY_INIT_(type, ...) ((type){.size = sizeof(type), __VA_ARGS__})
#endif

/* Frees a callback's context. It runs exactly once, after the last callback that could use the
   context has returned. It also runs when the call that was given the context fails. */
typedef void (*belay_free_fn)(void *ctx);

/* A callback whose only argument is its context. */
typedef void (*belay_action_fn)(void *ctx);

BELAY_BEGIN

/* Returns the version of the library that is running, as "0.1.0". Static. Any thread. */
BELAY_EXPORT const char *belay_version(void);

BELAY_END

#endif
