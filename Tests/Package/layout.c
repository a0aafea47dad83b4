#include <belay/belay.h>
#include <stdio.h>

#define SIZE(type) printf("%s %zu\n", #type, sizeof(type))
#define FIELD(type, field) \
  printf("%s.%s %zu %zu\n", #type, #field, offsetof(type, field), sizeof(((type *)0)->field))

int main(void) {
  SIZE(belay_value);
  FIELD(belay_value, payload_);
  FIELD(belay_value, tag_);

  SIZE(belay_view);
  FIELD(belay_view, data);
  FIELD(belay_view, size);

  SIZE(belay_observer);
  FIELD(belay_observer, size);
  FIELD(belay_observer, next);
  FIELD(belay_observer, error);
  FIELD(belay_observer, completed);
  FIELD(belay_observer, disposed);
  FIELD(belay_observer, ctx);
  FIELD(belay_observer, ctx_free);
  FIELD(belay_observer, label);
  FIELD(belay_observer, site);
  FIELD(belay_observer, loop);
  FIELD(belay_observer, next_batch);

  SIZE(belay_source_options);
  FIELD(belay_source_options, size);
  FIELD(belay_source_options, label);
  FIELD(belay_source_options, site);
  FIELD(belay_source_options, loop);
  FIELD(belay_source_options, reentrancy);
  FIELD(belay_source_options, capacity);
  FIELD(belay_source_options, shared);

  SIZE(belay_association);
  FIELD(belay_association, size);
  FIELD(belay_association, key);
  FIELD(belay_association, kind);
  FIELD(belay_association, object);
  FIELD(belay_association, policy);
  FIELD(belay_association, take);
  FIELD(belay_association, free);

  SIZE(belay_owner_event);
  FIELD(belay_owner_event, name);
  FIELD(belay_owner_event, object);
  FIELD(belay_owner_event, watcher);
  FIELD(belay_owner_event, user_info);

  SIZE(belay_owner_options);
  FIELD(belay_owner_options, size);
  FIELD(belay_owner_options, label);
  FIELD(belay_owner_options, site);
  FIELD(belay_owner_options, loop);

  SIZE(belay_loop_options);
  FIELD(belay_loop_options, size);
  FIELD(belay_loop_options, label);
  FIELD(belay_loop_options, site);
  FIELD(belay_loop_options, capacity);
  FIELD(belay_loop_options, persistent);
  FIELD(belay_loop_options, quiet);
  FIELD(belay_loop_options, uv_version);

  SIZE(belay_remnant);
  FIELD(belay_remnant, kind);
  FIELD(belay_remnant, label);
  FIELD(belay_remnant, site);
  FIELD(belay_remnant, address);
  FIELD(belay_remnant, foreign);

  SIZE(belay_field);
  FIELD(belay_field, name);
  FIELD(belay_field, kind);
  FIELD(belay_field, offset);
  FIELD(belay_field, get);
  FIELD(belay_field, set);
  FIELD(belay_field, depends_on);

  SIZE(belay_observe_options);
  FIELD(belay_observe_options, size);
  FIELD(belay_observe_options, flags);
  FIELD(belay_observe_options, observer);

  SIZE(belay_change);
  FIELD(belay_change, value);
  FIELD(belay_change, old);
  FIELD(belay_change, flags);

  SIZE(belay_bindable);
  FIELD(belay_bindable, object);
  FIELD(belay_bindable, path);
  FIELD(belay_bindable, property);
  FIELD(belay_bindable, convert);

  SIZE(belay_binding);
  FIELD(belay_binding, size);
  FIELD(belay_binding, from);
  FIELD(belay_binding, to);
  FIELD(belay_binding, both_ways);
  FIELD(belay_binding, ctx);
  FIELD(belay_binding, ctx_free);
  return 0;
}
