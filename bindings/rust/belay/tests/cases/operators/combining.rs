//! Several signals that become one by their values.
use super::failing;
use crate::support::{case, told};
use belay::Signal;

#[test]
fn combining() {
    case(|| {
        let (a, b) = (Signal::range(1, 2), Signal::from_values(["x".to_string(), "y".to_string()]));
        assert_eq!(told(&Signal::zip((&a, &b))), "(1, \"x\") (2, \"y\") |");
        assert_eq!(
            told(&Signal::zip_with((&a, &b), |(n, s)| format!("{n}{s}"))),
            "\"1x\" \"2y\" |"
        );
        assert_eq!(told(&Signal::combine_latest((&a, &b))), "(2, \"x\") (2, \"y\") |");
        let sum =
            Signal::combine_latest_with([a.clone(), a.clone()], |all| all.iter().sum::<i64>());
        assert_eq!(told(&sum), "3 4 |");
        assert_eq!(told(&Signal::combine_latest(vec![a.clone(), a.clone()])), "[2, 1] [2, 2] |");
        assert_eq!(told(&a.with_latest_from(&b)), "(1, \"y\") (2, \"y\") |");
        let with = a.with_latest_from_with((&a, &b), |n, (m, s)| format!("{n}{m}{s}"));
        assert_eq!(told(&with), "\"12y\" \"22y\" |");
        assert_eq!(told(&Signal::race([&Signal::never(), &a])), "1 2 |");
        assert_eq!(told(&a.sequence_equal(&Signal::range(1, 2))), "true |");
        assert_eq!(
            told(&a.sequence_equal_by(&Signal::range(11, 2), |x, y| x % 10 == y % 10)),
            "true |"
        );
        let (yes, no) = (Signal::just(true), Signal::just(false));
        assert_eq!(told(&yes.if_then_else(&a, &Signal::never())), "1 2 |");
        assert_eq!(told(&Signal::and([&yes, &no])), "false |");
        assert_eq!(told(&Signal::or([&yes, &no])), "true |");
        assert_eq!(told(&yes.not()), "false |");
        let keys = Signal::just("two".to_string());
        let (one, two) = (Signal::just(1), Signal::just(2));
        let cases = || [("one".to_string(), &one), ("two".to_string(), &two)];
        assert_eq!(told(&Signal::switch_on(&keys, cases(), None)), "2 |");
        let other = Signal::just("three".to_string());
        assert_eq!(told(&Signal::switch_on(&other, cases(), None)), "EINVAL");
        assert_eq!(told(&Signal::switch_on(&other, cases(), Some(&Signal::just(3)))), "3 |");
        let pairs = Signal::from_values([(1, 2), (3, 4)]);
        assert_eq!(told(&pairs.reduce_each(|(a, b)| a * b)), "2 12 |");
        assert_eq!(told(&a.merge([&Signal::just(9)])), "1 2 9 |");
        assert_eq!(told(&Signal::merge_of([&a, &Signal::just(9)])), "1 2 9 |");
        assert_eq!(told(&failing().merge_delay_error([&a])), "1 2 1 2 ENOENT");
        assert_eq!(told(&Signal::merge_delay_error_of([&failing(), &a])), "1 2 1 2 ENOENT");
    });
}
