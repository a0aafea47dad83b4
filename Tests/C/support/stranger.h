/* What a library that is loaded and unloaded tells the program that does so. */
#ifndef STRANGER_H
#define STRANGER_H

struct uv_loop_s;

typedef struct stranger_counts {
  int ticks;   /* of its timer */
  int heard;   /* values */
  int begun;   /* contexts given away */
  int freed;   /* and freed */
  int closed;  /* calls of its `closed` */
  int left;
} stranger_counts;

/* Begins things of each kind on the loop; 0. */
typedef int (*stranger_begin_fn)(struct uv_loop_s *uv, stranger_counts *counts);
/* Leaves the loop; 0. Nothing of the library may be called after. */
typedef int (*stranger_end_fn)(void);

#endif
