/* Belay with the parts that tests need besides: marble tests, drawings and guarded objects.
 * Includes belay.h.
 *
 * The functions of marbles.h, drawing.h and guard.h are in libbelay-testing, which also contains
 * all of libbelay. A test program links libbelay-testing instead of libbelay: `belay::testing` or
 * `belay::testing_static` in CMake, `belay-testing` in pkg-config. Such a program may test a shared
 * library of yours that was linked to libbelay: its calls go to libbelay-testing.
 *
 * A process contains one of the two. CMake refuses both, and so does the linker for archives. If
 * libbelay comes before libbelay-testing in the order of symbols, libbelay-testing ends the process
 * with a message when it is loaded.
 */
#ifndef BELAY_TESTING_H
#define BELAY_TESTING_H

#include "belay.h"
#include "drawing.h"
#include "guard.h"
#include "marbles.h"

#endif
