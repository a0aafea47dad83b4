//! Objects with observable fields.
use std::os::raw::{c_int, c_void};
use std::sync::{Arc, Mutex};

use crate::support::{case, silently, told, unhandled, Trace};
use belay::sys::{belay_int32, belay_value, belay_value_get_int32};
use belay::{
    field, Association, Change, Code, Destroy, Dynamic, Field, ObjectType, ObserveOptions, Owner,
    Property, Side, Subject, WeakOwner,
};

#[repr(C)]
struct Session {
    count: i32,
    user: Option<Owner>,
    parent: Option<WeakOwner>,
    note: Dynamic,
}

impl Session {
    fn new() -> Session {
        Session { count: 1, user: None, parent: None, note: Dynamic::null() }
    }
}

unsafe extern "C" fn double(session: *mut c_void) -> belay_value {
    belay_int32((*(session as *mut Session)).count * 2)
}

unsafe extern "C" fn halve(session: *mut c_void, value: belay_value) -> c_int {
    let mut doubled = 0;
    let code = belay_value_get_int32(value, &mut doubled);
    if code == 0 {
        (*(session as *mut Session)).count = doubled / 2;
    }
    code
}

fn session() -> Owner {
    let owner = Owner::build().create_for(Session::new()).unwrap();
    let doubled = unsafe { Field::computed("doubled", double, Some(halve)) };
    let described = ObjectType::new(vec![
        field!(Session, count),
        field!(Session, user),
        field!(Session, parent),
        field!(Session, note),
        doubled.depends_on(&["count"]),
    ])
    .unwrap();
    unsafe { described.describe(&owner) }.unwrap();
    owner
}

fn named(name: &str) -> Owner {
    let owner = Owner::build().dynamic().create().unwrap();
    owner.set("name", name.to_string()).unwrap();
    owner
}

#[test]
fn fields_are_read_and_written_with_their_types() {
    case(|| {
        let owner = session();
        let count = || unsafe { (*(owner.object() as *const Session)).count };
        owner.set("count", 7_u8).unwrap();
        assert_eq!((count(), owner.get::<i64>("count").unwrap()), (7, 7));
        assert_eq!(owner.set("count", "x".to_string()).unwrap_err().code(), Code::EKIND);
        assert_eq!(owner.set("count", 1_i64 << 40).unwrap_err().code(), Code::ERANGE);
        assert_eq!(owner.get::<i32>("none").unwrap_err().code(), Code::ENOENT);
        assert_eq!(owner.get::<i32>("").unwrap_err().code(), Code::EINVAL);
        assert_eq!(owner.get::<i32>("count.more").unwrap_err().code(), Code::EKIND);
        assert_eq!(owner.get::<i32>("doubled").unwrap(), 14);
        owner.set("doubled", 10).unwrap();
        assert_eq!(count(), 5);
        owner.set("note", vec![1.5]).unwrap();
        assert_eq!(owner.get::<Vec<f64>>("note").unwrap(), [1.5]);
    });
}

#[test]
fn a_path_with_a_nul_leads_nowhere() {
    case(|| {
        let user = named("Ada");
        let is_refused = |result: belay::Result<()>| {
            assert_eq!(result.unwrap_err().code(), Code::EINVAL);
        };
        is_refused(user.set("name\0", "Grace".to_string()));
        is_refused(user.get::<String>("name\0").map(drop));
        is_refused(user.change("name\0", || unreachable!()));
        is_refused(Subject::<String>::new().bind_path(&user, "name\0").map(drop));
        let (from, to) = (Side::<String>::path(&user, "name\0"), Side::path(&user, "name"));
        is_refused(from.bind(&to).map(drop));
        is_refused(to.bind(&from).map(drop));
        assert_eq!(told(&user.observe::<String>("name\0")), "EINVAL");
        assert_eq!(user.get::<String>("name").unwrap(), "Ada");
    });
}

#[test]
fn paths_are_observed_through_whichever_objects_are_on_them() {
    case(|| {
        let (owner, trace) = (session(), Trace::new());
        let note = trace.clone();
        let names = owner.observe::<Option<String>>("user.name");
        names
            .observe()
            .next(move |name| note.add(name.unwrap_or_else(|| "-".into())))
            .completed(trace.note("|"))
            .subscribe()
            .unwrap();
        owner.set("user", named("Ada")).unwrap();
        owner.set("user.name", "Grace".to_string()).unwrap();
        owner.set("user", named("Edsger")).unwrap();
        owner.set("user", ()).unwrap();
        assert_eq!(trace.take(), "- Ada Grace Edsger -");
        // A weak reference reads as null when its object has died.
        let parent = named("Barbara");
        owner.set("parent", parent.downgrade()).unwrap();
        assert_eq!(owner.get::<String>("parent.name").unwrap(), "Barbara");
        drop(parent);
        assert_eq!(owner.get::<Option<Owner>>("parent").unwrap().map(|it| it.object()), None);
        assert_eq!(told(&owner.observe::<i32>("none")), "ENOENT");
        assert_eq!(told(&owner.observe::<i32>("a..b")), "EINVAL");
        drop(owner);
        assert_eq!(trace.take(), "|");
    });
}

#[test]
fn records_tell_what_has_changed_and_how() {
    case(|| {
        let (owner, observer, trace) = (session(), Owner::new(), Trace::new());
        let show = |change: Change| {
            let kind = [change.is_initial(), change.is_prior(), change.is_only_last()]
                .map(|flag| if flag { '+' } else { '-' });
            let (value, old) = (change.value::<i32>().unwrap(), change.old::<Option<i32>>());
            format!("{}:{value}:{:?}", String::from_iter(kind), old.unwrap())
        };
        let all = ObserveOptions::new().initial().old().prior().until(&observer);
        owner.changes("count", all).map(show).subscribe(trace.each()).unwrap();
        assert_eq!(trace.take(), "+--:1:None");
        owner.set("count", 2).unwrap();
        assert_eq!(trace.take(), "-++:1:Some(1) --+:2:Some(1)");
        drop(observer);
        owner.set("count", 3).unwrap();
        assert_eq!(trace.take(), "");
        let later = owner.observe_with::<i32>("count", ObserveOptions::new());
        later.subscribe(trace.each()).unwrap();
        owner.set("count", 4).unwrap();
        assert_eq!(trace.take(), "4");
        assert_eq!(Dynamic::new(4).get::<Change>().unwrap_err().code(), Code::EKIND);
    });
}

#[test]
fn what_the_program_writes_itself_is_notified_after_it() {
    case(|| {
        let (owner, trace) = (session(), Trace::new());
        owner.observe::<i32>("doubled").subscribe(trace.each()).unwrap();
        let write = |n| unsafe { (*(owner.object() as *mut Session)).count = n };
        owner.change("count", || write(4)).unwrap();
        assert_eq!(trace.take(), "2 8");
        owner.group_changes(|| (5..9).try_for_each(|n| owner.set("count", n))).unwrap().unwrap();
        assert_eq!(trace.take(), "16");
        silently(|| {
            let panics = || owner.change("count", || panic!("after {:?}", write(9)));
            let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics));
            assert!(caught.is_err());
        });
        assert_eq!(trace.take(), "18");
        let mut has_run = false;
        let unknown = owner.change("none", || has_run = true);
        assert_eq!((unknown.unwrap_err().code(), has_run), (Code::ENOENT, false));
        assert_eq!(Owner::new().group_changes(|| ()).unwrap_err().code(), Code::ENOENT);
    });
}

#[test]
fn sides_follow_each_other() {
    case(|| {
        let (owner, shown) = (session(), Property::new(String::new()));
        let (count, text) = (Side::<i32>::path(&owner, "count"), Side::property(&shown));
        let one_way = count.bind_with(&text, |n| format!("{n}")).unwrap();
        owner.set("count", 2).unwrap();
        assert_eq!(shown.get().unwrap(), "2");
        one_way.dispose();
        let both = count.bind_both_with(&text, |n| n.to_string(), |text| text.parse::<i32>());
        shown.set("30").unwrap();
        assert_eq!(owner.get::<i32>("count").unwrap(), 30);
        both.unwrap().dispose();
        let (width, other) = (Property::new(5), session());
        Side::property(&width).bind_both(&count).unwrap();
        count.bind(&Side::path(&other, "count")).unwrap();
        width.set(6).unwrap();
        assert_eq!(other.get::<i32>("count").unwrap(), 6);
        let trace = Trace::new();
        unhandled(&trace, || {
            count.bind(&Side::path(&other, "none")).unwrap();
        });
        assert_eq!(trace.take(), "ENOENT@");
        let source = Subject::new();
        source.bind_path(&owner, "count").unwrap();
        source.next(9).unwrap();
        assert_eq!((width.get().unwrap(), owner.get::<i32>("doubled").unwrap()), (9, 18));
    });
}

#[test]
fn types_are_checked_when_they_are_made() {
    case(|| {
        let twice = ObjectType::new(vec![field!(Session, count), field!(Session, count)]);
        assert_eq!(twice.unwrap_err().code(), Code::EINVAL);
        let late = field!(Session, count).depends_on(&["user"]);
        let late = ObjectType::new(vec![late, field!(Session, user)]);
        assert_eq!(late.unwrap_err().code(), Code::EINVAL);
        let described = ObjectType::dynamic(vec![field!(Session, count)]).unwrap();
        let empty = unsafe { described.describe(&Owner::new()) };
        assert_eq!(empty.unwrap_err().code(), Code::EINVAL);
        let again = unsafe { described.describe(&session()) };
        assert_eq!(again.unwrap_err().code(), Code::EASSIGNED);
    });
}

#[test]
fn c_declares_the_end_of_what_is_adopted() {
    case(|| {
        let (mut first, mut second, trace) = (0_u32, 0_u32, Trace::new());
        let owner = unsafe { Owner::adopt(&mut first) }.unwrap();
        assert_eq!(owner.object(), &mut first as *mut u32 as *mut c_void);
        assert_eq!(unsafe { Owner::adopt(&mut first) }.unwrap().as_raw(), owner.as_raw());
        owner.deallocating().subscribe_to(&trace, "dying");
        owner.deallocated().subscribe_to(&trace, "dead");
        unsafe { Owner::end(&mut first, || trace.add("destroyed")) }.unwrap();
        assert_eq!(trace.take(), "dying destroyed dead");
        assert!(owner.is_dying() && owner.object().is_null());
        let owner = unsafe { Owner::adopt(&mut second) }.unwrap();
        owner.deallocated().subscribe_to(&trace, "dead");
        unsafe { Owner::will_end(&mut second) }.unwrap();
        assert!(owner.is_dying());
        assert_eq!(trace.take(), "");
        unsafe { Owner::did_end(&mut second) }.unwrap();
        assert_eq!(trace.take(), "dead");
        assert_eq!(unsafe { Owner::did_end(&mut second) }.unwrap_err().code(), Code::ENOENT);
        silently(|| {
            let end = || unsafe { Owner::end(&mut 0, || panic!("no")) };
            assert!(std::panic::catch_unwind(end).is_err());
        });
        let null: *mut u32 = std::ptr::null_mut();
        assert_eq!(unsafe { Owner::adopt(null) }.unwrap_err().code(), Code::EINVAL);
    });
}

trait SubscribeTo {
    fn subscribe_to(&self, trace: &Trace, what: &'static str);
}

impl SubscribeTo for belay::Signal<()> {
    fn subscribe_to(&self, trace: &Trace, what: &'static str) {
        let note = trace.note(what);
        self.subscribe(move |()| note()).unwrap();
    }
}

unsafe extern "C" fn free_thing(thing: *mut u32) {
    *thing = 0;
}

#[test]
fn a_function_in_a_table_ends_what_is_adopted() {
    case(|| {
        // The function stays replaced, so the table stays too.
        let destroy: Destroy<u32> = Some(free_thing);
        let table: *mut Destroy<u32> = Box::leak(Box::new(destroy));
        let mut thing = 1_u32;
        let owner = unsafe { Owner::adopt_slot(&mut thing, table) }.unwrap();
        unsafe { (*table).unwrap()(&mut thing) };
        assert!(owner.is_dying());
        assert_eq!(thing, 0);
        let mut empty = None;
        let refused = unsafe { Owner::adopt_slot(&mut thing, &mut empty) };
        assert_eq!(refused.unwrap_err().code(), Code::ENOENT);
        unsafe { Owner::end(&mut thing, || ()) }.unwrap();
    });
}

#[test]
fn associations_are_read_while_they_are_replaced() {
    static KEY: Association<Mutex<i32>> = Association::new();
    static OTHER: Association<String> = Association::new();
    case(|| {
        let owner = Owner::new();
        assert!(KEY.get(&owner).is_none());
        assert_eq!(KEY.remove(&owner).unwrap_err().code(), Code::ENOENT);
        OTHER.set(&owner, Arc::new("other".into())).unwrap();
        KEY.set(&owner, Arc::default()).unwrap();
        let reader = owner.clone();
        let reading = std::thread::spawn(move || {
            while let Some(it) = KEY.get(&reader) {
                *it.lock().unwrap() += 1;
            }
        });
        for _ in 0..1000 {
            KEY.set(&owner, Arc::default()).unwrap();
        }
        KEY.remove(&owner).unwrap();
        reading.join().unwrap();
        assert_eq!(*OTHER.get(&owner).unwrap(), "other");
        let weak = Arc::downgrade(&OTHER.get(&owner).unwrap());
        drop(owner);
        assert!(weak.upgrade().is_none());
    });
}
