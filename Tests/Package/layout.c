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
  FIELD(belay_observer, owner);
  FIELD(belay_observer, next_batch);

  SIZE(belay_source_options);
  FIELD(belay_source_options, size);
  FIELD(belay_source_options, label);
  FIELD(belay_source_options, site);
  FIELD(belay_source_options, loop);
  FIELD(belay_source_options, reentrancy);
  FIELD(belay_source_options, capacity);
  FIELD(belay_source_options, shared);

  SIZE(belay_queue_options);
  FIELD(belay_queue_options, size);
  FIELD(belay_queue_options, policy);
  FIELD(belay_queue_options, capacity);
  FIELD(belay_queue_options, high_water);

  SIZE(belay_association);
  FIELD(belay_association, size);
  FIELD(belay_association, key);
  FIELD(belay_association, kind);
  FIELD(belay_association, object);
  FIELD(belay_association, policy);
  FIELD(belay_association, take);
  FIELD(belay_association, free);

  SIZE(belay_owner_event);
  FIELD(belay_owner_event, size);
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

  SIZE(belay_field);
  FIELD(belay_field, size);
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
  FIELD(belay_change, size);
  FIELD(belay_change, value);
  FIELD(belay_change, old);
  FIELD(belay_change, flags);

  SIZE(belay_bindable);
  FIELD(belay_bindable, size);
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

  SIZE(belay_method);
  FIELD(belay_method, size);
  FIELD(belay_method, name);
  FIELD(belay_method, offset);
  FIELD(belay_method, shape);
  FIELD(belay_method, flags);

  SIZE(belay_interface_description);
  FIELD(belay_interface_description, size);
  FIELD(belay_interface_description, name);
  FIELD(belay_interface_description, table_size);
  FIELD(belay_interface_description, methods);
  FIELD(belay_interface_description, method_count);
  FIELD(belay_interface_description, base);
  FIELD(belay_interface_description, table_offset);
  FIELD(belay_interface_description, install);
  FIELD(belay_interface_description, installed);

  SIZE(belay_responder);
  FIELD(belay_responder, size);
  FIELD(belay_responder, interface);
  FIELD(belay_responder, table);
  FIELD(belay_responder, resolve);
  FIELD(belay_responder, target);
  FIELD(belay_responder, forward);
  FIELD(belay_responder, ctx);
  FIELD(belay_responder, ctx_free);
  return 0;
}
