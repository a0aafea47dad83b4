/* Every scenario, by subject. */
#include "engine/engine.h"

extern const explore_scenario explore_disposals[];

const explore_scenario *const explore_registry[] = {
    explore_disposals,
    NULL,
};
