/* Every scenario, by subject. */
#include "engine/engine.h"

extern const explore_scenario explore_disposals[], explore_owners[], explore_shared[],
    explore_mail[], explore_loops[], explore_crossings[], explore_sources[], explore_operators[],
    explore_strands[];

const explore_scenario *const explore_registry[] = {
    explore_disposals, explore_owners,  explore_shared,    explore_mail, explore_loops,
    explore_crossings, explore_sources, explore_operators, explore_strands,
    NULL,
};
