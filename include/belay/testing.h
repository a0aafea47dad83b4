/* Belay with what tests need besides: marble tests and drawings. Includes belay.h.
 *
 * The functions of marbles.h and drawing.h are in libbelay-testing, which is all of libbelay and these.
 * A test program links libbelay-testing instead of libbelay: `belay::testing` or
 * `belay::testing_static` in CMake, `belay-testing` in pkg-config. A shared library of yours that was
 * linked to libbelay may be tested so: its calls go to libbelay-testing.
 *
 * A process has one of the two. CMake refuses both, and so does the linker for archives. If libbelay
 * stands before libbelay-testing in the order of symbols, libbelay-testing ends the process with a
 * message as it is loaded.
 */
#ifndef BELAY_TESTING_H
#define BELAY_TESTING_H

#include "belay.h"
#include "drawing.h"
#include "marbles.h"

#endif
