"""A C program text with a function for each function of the library, which calls it with random arguments, and with
a function for each type of callback. What they draw from is written by hand: Tests/API/random_calls.h."""

from __future__ import annotations

import re
from typing import Any

from . import ctype
from .ledger import includes

Item = dict[str, Any]

# These calls are written by hand, in Tests/API/calls_*.c: their arguments depend on each other, or need a bound.
BY_HAND = """
belay_owner_create belay_owner_adopt belay_owner_end belay_owner_will_end belay_owner_did_end belay_owner_adopt_slot
belay_association_set belay_signal_bind_variable belay_signal_bind belay_signal_bind_property belay_signal_multicast
belay_signal_repeat_value belay_signal_range belay_signal_chain_n belay_loop_run belay_loop_adopt
belay_scheduler_create_host belay_scheduler_flush belay_observer_share belay_observer_retain belay_observer_release
belay_signal_export belay_signal_import belay_exchange_release belay_stream_open belay_process belay_udp
belay_type_create belay_object_set_responder belay_interface_create belay_invocation_call belay_slot_create_in_table
belay_slot_connect belay_slot_original belay_function_create belay_table_gone belay_proxy_forward_to
belay_guarded_create belay_guarded_destroy belay_bind belay_change_get belay_compound_remove
""".split()

# These may answer a negative number that is no failure, or record none.
ANY_NUMBER = """belay_error_code belay_fail belay_fail_with belay_listener_port belay_value_try belay_value_try_typed
belay_value_try_struct belay_value_try_item belay_slot_status""".split()

# What a parameter is drawn by, where its name tells more than its type: (function or "", parameter).
DRAWS = {
    ("", "label"): "draw_label()",
    ("", "site"): "draw_label()",
    ("", "shape"): "draw_shape()",
    ("", "method"): "draw_method()",
    ("", "diagram"): "draw_diagram()",
    ("", "subscription"): "draw_diagram()",
    ("", "host"): "draw_host()",
    ("", "address"): "draw_host()",
    ("", "service"): "draw_service()",
    ("", "fd"): "draw_descriptor()",
    ("", "signum"): "draw_signum()",
    ("belay_op_repeat", "count"): "draw_few()",
    ("belay_op_retry", "count"): "draw_few()",
    ("belay_op_retry_backoff", "attempts"): "draw_few()",
    ("belay_scheduler_step", "count"): "draw_few()",
    ("belay_scheduler_advance", "seconds"): "draw_advance()",
    ("belay_wall_timer", "date"): "draw_date()",
    ("", "timeout"): "draw_wait()",
    ("belay_signal_wait_first", "seconds"): "draw_wait()",
    ("belay_signal_wait_last", "seconds"): "draw_wait()",
}
# Handles of one type that are of a kind of their own: what a parameter of that name is mostly drawn of, and what makes
# them.
KINDS = {
    "subject": ("belay_signal", r"belay_subject_create\w*"),
    "connectable": ("belay_signal", r"belay_signal_(publish|replay|multicast)"),
    "compound": ("belay_disposable", "belay_compound_create|belay_owner_get_compound"),
    "serial": ("belay_disposable", "belay_serial_create"),
    "single": ("belay_disposable", "belay_single_assignment_create"),
    "ref_counted": ("belay_disposable", "belay_ref_counted_create"),
    "virtual": ("belay_scheduler", "belay_scheduler_create_virtual"),
}
VIRTUAL = re.compile("belay_scheduler_(advance|step|flush)")
KEY_PATHS = ("object.h", "owner_event.h", "binding.h", "notice.h")
NUMBERS = {
    "int": "draw_int()", "unsigned": "draw_unsigned()", "unsigned int": "draw_unsigned()",
    "size_t": "draw_size()", "uint64_t": "draw_uint64()",
    "int64_t": "draw_int64()", "uint32_t": "draw_unsigned()", "int32_t": "draw_int()", "double": "draw_seconds()",
    "uint16_t": "draw_port()", "char": "draw_mark()",
}  # fmt: skip


def is_handle(api: Api, type: Item) -> str | None:
    """The name of the opaque type of a handle."""
    name = type.get("to", {}).get("name") if type["kind"] == "pointer" else None
    return name if name in api.pools else None


class Api:
    """What the description says of names."""

    def __init__(self, api: dict[str, Any]) -> None:
        self.items = api["items"]
        self.functions = {item["name"]: item for item in self.items if item["kind"] == "function"}
        self.callbacks = {item["name"]: item for item in self.items if item["kind"] == "callback"}
        self.structs = {item["name"]: item for item in self.items if item["kind"] == "struct"}
        self.enums = {item["name"] for item in self.items if item["kind"] == "enum"}
        self.opaque = [item["name"] for item in self.items if item["kind"] == "opaque"]
        self.pools = [name for name in self.opaque if f"{name}_release" in self.functions]


def generate(api: dict[str, Any]) -> str:
    known = Api(api)
    named = [*BY_HAND, *ANY_NUMBER, *(function for function, _ in DRAWS if function)]
    stale = [name for name in named if name not in known.functions]
    if stale:
        raise ValueError(f"scripts/description/calls.py names what is no more: {' '.join(stale)}")
    made = "#include \"random_calls.h\"\n" + includes(api) + "\n"
    made += "".join(_pool(known, name) for name in known.pools)
    for kind, (name, _) in KINDS.items():
        made += f"pool {kind}_pool = {{.name = \"{name}\", .retain = keep_{name}, .release = drop_{name}, "
        made += f".parent = &{name}_pool}};\n"
    every = ", ".join(f"&{name}_pool" for name in [*known.pools, *KINDS])
    made += f"pool *const pools[] = {{{every}, NULL}};\n\n"
    made += "".join(_callback(known, name, item) for name, item in _callbacks(known))
    made += "".join(_struct(known, item) for item in known.structs.values() if _is_drawn(item))
    made += "".join(_call(known, item) for item in known.functions.values() if item["name"] not in BY_HAND)
    made += "".join(f"void call_{name}(void);\n" for name in BY_HAND)
    made += "\nconst call calls[] = {\n"
    for name, item in known.functions.items():
        given = item["result"].get("ownership") == "given" and is_handle(known, item["result"]["type"])
        given = _kind_made(name) or given
        maker = f"&{given}_pool" if given and not name.endswith("_retain") else "NULL"
        made += f"    {{\"{name}\", call_{name}, {maker}}},\n"
    return made + "};\nconst size_t call_count = sizeof calls / sizeof *calls;\n"


def _kind_made(function: str) -> str | None:
    return next((kind for kind, (_, makes) in KINDS.items() if re.fullmatch(makes, function)), None)


def _pool(api: Api, name: str) -> str:
    retain = f"{name}_retain" if f"{name}_retain" in api.functions else None
    made = f"static void drop_{name}(void *handle) {{ {name}_release(handle); }}\n"
    if retain:
        made += f"static void *keep_{name}(void *handle) {{ return {retain}(handle); }}\n"
    kept = f"keep_{name}" if retain else "NULL"
    return made + f"pool {name}_pool = {{.name = \"{name}\", .retain = {kept}, .release = drop_{name}}};\n"


def _callbacks(api: Api) -> list[tuple[str, Item]]:
    """All types of callbacks, by the names of their functions: those with a name, and members of structs."""
    made = [
        (name, item)
        for name, item in api.callbacks.items()
        if name not in ("belay_free_fn", "belay_function", "belay_unannounced_write_fn")
    ]
    for struct in api.structs.values():
        if struct["header"] == "exchange.h" or struct["name"] == "belay_scheduler_table":
            continue
        for field in struct["fields"]:
            type = field["type"]
            if type["kind"] == "pointer" and type["to"]["kind"] == "function":
                called = type["to"]
                made.append((f"{struct['name']}_{field['name']}",
                             {"result": {"type": called["result"]}, "parameters": called["parameters"]}))  # fmt: skip
    return made


def _callback(api: Api, name: str, item: Item) -> str:
    parameters = [dict(each) for each in item["parameters"]]
    for index, each in enumerate(parameters):
        each["name"] = each.get("name") or f"p{index}"
    function = {"kind": "function", "result": item["result"]["type"], "parameters": parameters}
    declared = ctype.spell(function, f"on_{name}")
    made = f"{declared};\n{declared} {{\n"
    context = parameters[0]["name"] if parameters else "NULL"
    made += f"  int quiet = enter(\"{name}\", {context});\n"
    names = [each["name"] for each in parameters]
    for index, each in enumerate(parameters):
        made += _lent(api, each, names[index + 1] if index + 1 < len(names) else "")
    made += "  if (!quiet) act();\n"
    answer = _answer(api, name, item["result"]["type"], names)
    if answer:
        made += f"  {ctype.spell(item['result']['type'], 'answer')} = {answer};\n"
    elif name.endswith(("_next", "_next_batch", "_error", "_completed")):
        made += "  leave_with_failure(quiet);\n"
    made += f"  leave({context});\n"
    return made + ("  return answer;\n}\n" if answer else "}\n")


def _lent(api: Api, parameter: Item, following: str) -> str:
    """Looks at an argument of a callback, and may keep it."""
    type, name = parameter["type"], parameter["name"]
    handle = is_handle(api, type)
    if name == "events":  # What answers with them in turn would begin again without end: answer_signal() bounds them.
        return ""
    if handle and parameter.get("ownership") != "taken":
        return f"  lend_handle(quiet, &{handle}_pool, (void *){name});\n"
    if type.get("name") == "belay_value":
        return f"  lend_value(quiet, {name});\n"
    if type["kind"] == "pointer" and type["to"].get("name") == "belay_value" and type["to"].get("const"):
        return f"  for (size_t i = 0; i < {following}; i++) lend_value(quiet, {name}[i]);\n"
    if type["kind"] == "pointer" and type["to"].get("name") == "char":
        return f"  look_at({name});\n"
    if type["kind"] == "pointer" and "open_resource" in ctype.spell(type):
        return f"  look_at_resources({name}, {following});\n"
    if type["kind"] == "pointer" and type["to"].get("name") == "belay_owner_event":
        return f"  look_at({name}->name), lend_value(quiet, {name}->user_info);\n"
    return f"  (void){name};\n"


def _answer(api: Api, name: str, type: Item, names: list[str]) -> str:
    """What a callback answers; nothing for void."""
    if type.get("name") == "void":
        return ""
    if name == "belay_iterate_fn":
        return f"answer_iteration(quiet, {names[0]}, {names[1]})"
    if type.get("name") == "belay_value":
        return "answer_value(quiet)"
    if type.get("name") == "int":
        return "answer_int(quiet)"
    if type.get("name") == "belay_function":
        return f"answer_function(quiet, {names[-1]})"
    handle = is_handle(api, type)
    if handle == "belay_signal":
        if "source" in names:  # which is the callback's own
            return "answer_with(quiet, source)"
        return f"answer_signal(quiet, {'events' if 'events' in names else 'NULL'})"
    if handle == "belay_owner":
        return f"quiet ? NULL : peek(&{handle}_pool)"
    if handle:
        return f"quiet ? NULL : take(&{handle}_pool)"
    return "answer_pointer(quiet)"


DRAWN_BY_HAND = """belay_scheduler_table belay_process_options belay_udp_options belay_method belay_field
belay_interface_description belay_bindable belay_binding belay_responder belay_owner_event belay_unannounced_write
belay_association belay_change""".split()


def _is_drawn(item: Item) -> bool:
    first = item["fields"][0]["name"] if item["fields"] else ""
    return first == "size" and item["name"] not in DRAWN_BY_HAND


def _struct(api: Api, item: Item) -> str:
    """Draws a struct into a larger buffer, and its size."""
    name = item["name"]
    made = f"const {name} *draw_{name}(drawn *drawn) {{\n"
    made += f"  {name} *made = begin_struct(drawn, sizeof *made);\n"
    made += "  if (!made) return NULL;\n"
    for field in item["fields"][1:]:
        if field["name"] == "ctx_free":
            continue
        if field["name"] == "ctx":
            made += "  drawn->token = give(&made->ctx, &made->ctx_free);\n"
            continue
        chance = "!made->next || rarely()" if field["name"] == "next_batch" else "flip()"
        if field["name"] in ("loop", "owner"):
            chance = "draw(4) == 0"
        made += f"  if ({chance}) made->{field['name']} = {_member(api, item, field)};\n"
    return made + "  return end_struct(drawn);\n}\n"


def _member(api: Api, struct: Item, field: Item) -> str:
    name, type = field["name"], field["type"]
    handle = is_handle(api, type)
    if type["kind"] == "pointer" and type["to"]["kind"] == "function":
        return f"on_{struct['name']}_{name}"
    if handle:
        return f"pick(&{handle}_pool)"
    if name == "policy" and struct["name"] == "belay_queue_options":
        return "draw_policy()"
    if name == "high_water":
        return "&high_water"
    if name == "host":
        return "draw_host()"
    if name in ("label", "site"):
        return "draw_label()"
    if name == "uv_version":
        return "draw_uv_version()"
    if type.get("name") in api.enums:
        return f"({type['name']})draw_enum()"
    if name == "keepalive":
        return "draw_seconds()"
    return NUMBERS[type["name"]]


def _call(api: Api, item: Item) -> str:
    """A function that draws arguments, calls the library and keeps what it is given."""
    name = item["name"]
    before, after, arguments = "", "", []
    parameters = item["parameters"]
    skip = False
    for index, each in enumerate(parameters):
        following = parameters[index + 1] if index + 1 < len(parameters) else None
        if skip:
            skip = False
            arguments.append(each["name"])
            continue
        made = _parameter(api, item, each, following)
        before += made[0]
        after += made[1]
        skip = made[2]
        arguments.append(each["name"])
    result = item["result"]["type"]
    called = f"{name}({', '.join(arguments)})"
    text = f"static void call_{name}(void) {{\n  begin_call(\"{name}\");\n{before}  ready();\n"
    handle = is_handle(api, result)
    if handle:
        handle = _kind_made(name) or handle
    given = item["result"].get("ownership") == "given"
    if result.get("name") == "void":
        text += f"  {called};\n"
    else:
        text += f"  {ctype.spell(result, 'answered')} = {called};\n"
    if result.get("name") == "int" and name not in ANY_NUMBER:
        after += f"  check_code(\"{name}\", answered);\n"
        for each in parameters:
            if f"drawn drawn_{each['name']};" in before:
                after += f"  check_size(\"{name}\", &drawn_{each['name']}, answered < 0);\n"
    elif handle and given:
        is_own = not name.endswith(("_retain", "_upgrade"))
        after = f"  made(&{handle}_pool, \"{name}\", (void *)answered, {int(is_own)});\n" + after
        for each in parameters:
            if f"drawn drawn_{each['name']};" in before:
                after += f"  check_size(\"{name}\", &drawn_{each['name']}, !answered);\n"
    elif handle:
        after = f"  lend_handle(0, &{handle}_pool, (void *)answered);\n" + after
    elif result.get("name") == "belay_value":
        after = f"  {'give_back(' if given else 'lend_value(0, '}answered);\n" + after
    elif result["kind"] == "pointer" and result["to"].get("name") == "char":
        after = "  look_at(answered);\n" + after
    elif result.get("name") != "void":
        after = "  (void)answered;\n" + after
    return text + after + "  end_call();\n}\n"


def _parameter(api: Api, item: Item, each: Item, following: Item | None) -> tuple[str, str, bool]:
    """What comes before the call and after it, and whether the next parameter is done too."""
    name, type, function = each["name"], each["type"], item["name"]
    owned = each.get("ownership")
    handle = is_handle(api, type)
    to = type.get("to", {})
    drawn = DRAWS.get((function, name)) or DRAWS.get(("", name))
    if handle:
        how = "take" if owned == "taken" else "pick"
        kind = "virtual" if VIRTUAL.fullmatch(function) else name
        if kind in KINDS and KINDS[kind][0] == handle:
            return f"  {ctype.spell(type, name)} = {how}(rarely() ? &{handle}_pool : &{kind}_pool);\n", "", False
        return f"  {ctype.spell(type, name)} = {how}(&{handle}_pool);\n", "", False
    if type.get("name") == "belay_value":
        if owned == "taken":
            return f"  belay_value {name} = draw_value();\n", "", False
        return f"  belay_value {name} = draw_value();\n", f"  give_back({name});\n", False
    if type.get("name") in api.callbacks and type["name"] not in ("belay_free_fn", "belay_function"):
        called = "NULL" if type["name"] == "belay_unannounced_write_fn" else f"on_{type['name']}"
        return f"  {type['name']} {name} = rarely() ? NULL : {called};\n", "", False
    if type["kind"] == "pointer" and to.get("name") == "void" and not to.get("const") and following:
        if owned == "taken" and following["type"].get("name") == "belay_free_fn":
            free = following["name"]
            return f"  void *{name};\n  belay_free_fn {free};\n  give(&{name}, &{free});\n", "", True
    if type["kind"] == "pointer" and to.get("name") == "void":
        if following and following["name"] == "size":
            return f"  size_t size;\n  {ctype.spell(type, name)} = draw_buffer(&size);\n", "", True
        if name == "out":
            return f"  void *{name} = draw_room();\n", "", False
        draw = "(void *)draw_key()" if name in ("key", "kind") else "draw_address()"
        return f"  {ctype.spell(type, name)} = {draw};\n", "", False
    if type["kind"] == "pointer" and to.get("name") == "char":
        if following and following["name"] == "size":
            return f"  size_t size;\n  {ctype.spell(type, name)} = draw_buffer(&size);\n", "", True
        if name == "path" and item["header"] in KEY_PATHS:
            drawn = "draw_key_path()"
        elif name == "path":
            drawn = "draw_path()"
        return f"  {ctype.spell(type, name)} = {drawn or 'draw_text()'};\n", "", False
    if type["kind"] == "pointer" and to["kind"] == "pointer":
        inner = is_handle(api, to)
        if _is_array(api, each):
            return _array(api, item, each, following)
        if inner:
            keep = f"  if ({name}) made(&{inner}_pool, NULL, *{name}, 0);\n"
            return (f"  {ctype.spell(to, name + '_made')} = NULL;\n"
                    f"  {ctype.spell(type, name)} = wants() ? &{name}_made : NULL;\n", keep, False)  # fmt: skip
        return (f"  {ctype.spell(to, name + '_made')} = NULL;\n"
                f"  {ctype.spell(type, name)} = rarely() ? NULL : &{name}_made;\n", "", False)  # fmt: skip
    if type["kind"] == "pointer" and to.get("name") == "belay_value":
        if to.get("const"):
            return _array(api, item, each, following)
        after = f"  if ({name} && {int(owned != 'borrowed')}) give_back(*{name});\n"
        return (f"  belay_value {name}_made = belay_null();\n"
                f"  belay_value *{name} = rarely() ? NULL : &{name}_made;\n", after, False)  # fmt: skip
    if type["kind"] == "pointer" and to.get("name") in api.structs and to.get("name") != "belay_view":
        return (f"  drawn drawn_{name};\n"
                f"  {ctype.spell(type, name)} = draw_{to['name']}(&drawn_{name});\n", "", False)  # fmt: skip
    if type["kind"] == "pointer" and to.get("name") in api.opaque:
        return f"  {ctype.spell(type, name)} = NULL;\n", "", False  # callbacks get these
    if type["kind"] == "pointer":
        plain = dict(to)
        plain.pop("const", None)
        return (f"  {ctype.spell(plain, name + '_made')};\n  memset(&{name}_made, 0, sizeof {name}_made);\n"
                f"  {ctype.spell(type, name)} = rarely() ? NULL : &{name}_made;\n", "", False)  # fmt: skip
    if drawn:
        return f"  {ctype.spell(type, name)} = {drawn};\n", "", False
    if type["name"] in api.enums:
        return f"  {type['name']} {name} = ({type['name']})draw_enum();\n", "", False
    if type["name"] in NUMBERS:
        return f"  {type['name']} {name} = {NUMBERS[type['name']]};\n", "", False
    raise ValueError(f"nobody knows how to draw {name} of {function}")


def _array(api: Api, function: Item, each: Item, following: Item | None) -> tuple[str, str, bool]:
    """An array, with the count that follows it or that a later array has too."""
    name, type = each["name"], each["type"]
    inner = type["to"]
    handle = is_handle(api, inner)
    owned = each.get("ownership")
    item = dict(inner)
    item.pop("const", None)
    if handle:
        draw = f"{'take' if owned == 'taken' else 'pick'}(&{handle}_pool)"
    elif inner.get("name") == "belay_value":
        draw = "draw_value()"
    else:
        draw = "draw_diagram()"
    arrays = [other["name"] for other in function["parameters"] if _is_array(api, other)]
    is_last = following is not None and following["name"] == "count"
    before = "  size_t count = draw_count();\n" if name == arrays[0] else ""
    before += f"  {ctype.spell({'kind': 'pointer', 'to': item}, name + '_drawn')} = draw_array();\n"
    before += f"  for (size_t i = 0; {name}_drawn && i < count; i++) {name}_drawn[i] = {draw};\n"
    before += f"  {ctype.spell(type, name)} = (void *){name}_drawn;\n"
    if is_last:
        before += f"  if ({' && '.join('!' + array for array in arrays)}) count = draw_size();\n"
    return before, "", is_last


def _is_array(api: Api, each: Item) -> bool:
    to = each["type"].get("to", {})
    if to.get("kind") == "pointer":
        return bool(to.get("const"))
    return to.get("name") == "belay_value" and bool(to.get("const"))
