//! One value of a whole signal.
use super::numbers;
use crate::support::{case, told};
use belay::Signal;

#[test]
fn aggregating() {
    case(|| {
        let none = Signal::<i64>::empty();
        assert_eq!(told(&none.default_if_empty(7)), "7 |");
        assert_eq!(told(&none.switch_if_empty(&Signal::just(8))), "8 |");
        assert_eq!(told(&numbers().contains(3)), "true |");
        assert_eq!(told(&numbers().any(|n| *n > 9)), "false |");
        assert_eq!(told(&numbers().all(|n| *n > 0)), "true |");
        assert_eq!(told(&none.is_empty()), "true |");
        assert_eq!(told(&numbers().count()), "4 |");
        assert_eq!(told(&numbers().min()), "1 |");
        assert_eq!(told(&numbers().max()), "4 |");
        assert_eq!(told(&numbers().min_by(|a, b| a % 3 < b % 3)), "3 |");
        assert_eq!(told(&numbers().max_by(|a, b| a % 3 < b % 3)), "2 |");
        assert_eq!(told(&numbers().sum()), "10 |");
        assert_eq!(told(&Signal::from_values([0.5, 1.0]).sum()), "1.5 |");
        assert_eq!(told(&numbers().average()), "2.5 |");
        let text = numbers().reduce(String::new(), |text, n| format!("{text}{n}"));
        assert_eq!(told(&text), "\"1234\" |");
        assert_eq!(told(&numbers().collect()), "[1, 2, 3, 4] |");
        assert_eq!(told(&Signal::from_values([1_u8, 2]).collect()), "[1, 2] |");
    });
}
