/* Properties of numbers. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "cases.h"

static inline belay_property *number_property(int value) {
  belay_property *property = belay_property_create(belay_int32(value), NULL);
  CHECK(property != NULL);
  return property;
}

static inline int number_of(belay_property *property) {
  belay_value value;
  CHECK_INT(belay_property_get(property, &value), 0);
  int number = int_of(value);
  belay_value_release(value);
  return number;
}

#endif
