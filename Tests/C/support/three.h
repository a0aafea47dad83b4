/* Three subjects for operators with several inputs. */
#ifndef THREE_H
#define THREE_H

#include "texts.h"

static belay_signal *a, *b, *c;

static inline void make_subjects(void) {
  a = belay_subject_create(NULL);
  b = belay_subject_create(NULL);
  c = belay_subject_create(NULL);
}

static inline void release_subject(belay_signal **subject) {
  belay_signal_release(*subject);
  *subject = NULL;
}

static inline void release_subjects(void) {
  release_subject(&a);
  release_subject(&b);
  release_subject(&c);
}

#endif
