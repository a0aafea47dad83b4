//! From one signal to others, and what follows an end.
use super::failing;
use crate::support::{case, told};
use belay::Signal;

#[test]
fn flattening() {
    case(|| {
        let two = Signal::range(1, 2);
        let pair = |n: i64| Signal::from_values([n * 10, n * 10 + 1]);
        assert_eq!(told(&two.flat_map(pair)), "10 11 20 21 |");
        assert_eq!(told(&two.flat_map_at_most(1, pair)), "10 11 20 21 |");
        assert_eq!(told(&two.concat_map(pair)), "10 11 20 21 |");
        assert_eq!(told(&two.switch_map(pair)), "10 11 20 21 |");
        assert_eq!(told(&two.exhaust_map(pair)), "10 11 20 21 |");
        assert_eq!(
            told(&two.flat_map(|n| if n < 2 { Ok(Signal::just(n)) } else { Err("no") })),
            "1 EINVAL"
        );
        let tree =
            Signal::just(1).expand(|n| if n < 8 { Signal::just(n * 2) } else { Signal::empty() });
        assert_eq!(told(&tree), "1 2 4 8 |");
        let signals = Signal::from_values([two.clone(), Signal::just(9)]);
        assert_eq!(told(&signals.merge_all()), "1 2 9 |");
        assert_eq!(told(&signals.concat_all()), "1 2 9 |");
        assert_eq!(told(&signals.switch_to_latest()), "1 2 9 |");
        assert_eq!(told(&Signal::concat_of([&two, &two])), "1 2 1 2 |");
        assert_eq!(told(&two.then(&Signal::just("end".to_string()))), "\"end\" |");
        assert_eq!(told(&two.repeat(2)), "1 2 1 2 |");
        assert_eq!(told(&two.repeat(None).take(3)), "1 2 1 |");
        assert_eq!(told(&two.repeat_when(|ends| ends.take(2))), "1 2 1 2 1 2 |");
        assert_eq!(
            told(&failing().catch(|error| Signal::just(-error.code().number() as i64))),
            "1 2 2 |"
        );
        assert_eq!(told(&failing().catch(Err::<Signal<i64>, _>)), "1 2 ENOENT");
        assert_eq!(told(&failing().catch_to(0)), "1 2 0 |");
        assert_eq!(told(&failing().retry(2)), "1 2 1 2 ENOENT");
        assert_eq!(told(&failing().retry(None).take(5)), "1 2 1 2 1 |");
        assert_eq!(told(&failing().retry_when(|errors| errors.take(2))), "1 2 1 2 |");
        assert_eq!(told(&two.attempt(|n| if *n < 2 { Ok(()) } else { Err("no") })), "1 EINVAL");
    });
}
