/* Text that may go to the terminals of others. */
#ifndef RELAY_TEXT_H
#define RELAY_TEXT_H

#include <belay/belay.h>
#include <stdbool.h>

/* True for UTF-8 without control characters other than the tab. */
bool text_is_plain(belay_view text);

#endif
