/* What the examples in the comments of the headers take for granted. */
#include <belay/belay.h>
#include <belay/testing.h>
#include <stdio.h>

typedef struct {
  int age;
} person;

struct ops {
  int (*read)(void *, char *, size_t);
};

extern belay_signal *width, *height, *typed, *source, *one, *other;
extern belay_scheduler *scheduler;
extern belay_type *person_type;
extern belay_queue_options newest;
extern belay_observer observer;
extern belay_slot *slot;
extern void *view;

belay_value multiply(void *ctx, const belay_value *values, size_t count);
int is_error(void *ctx, belay_value value);
belay_signal *load(void *ctx, belay_value value);
void draw(void *ctx, belay_value value);
void on_moved(void *ctx, double x, double y);
