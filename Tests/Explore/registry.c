/* Every scenario, by subject. */
#include "engine/engine.h"

extern const explore_scenario explore_disposals[], explore_owners[], explore_shared[],
    explore_messages[], explore_loops[], explore_boundaries[], explore_sources[], explore_operators[],
    explore_strands[], explore_streams[], explore_users[], explore_work[], explore_proxies[],
    explore_observation[], explore_told[];

const explore_scenario *const explore_registry[] = {
    explore_disposals, explore_owners,  explore_shared,    explore_messages, explore_loops,
    explore_boundaries, explore_sources, explore_operators, explore_strands,
    explore_streams,    explore_users, explore_work, explore_proxies, explore_observation,
    explore_told,
    NULL,
};
