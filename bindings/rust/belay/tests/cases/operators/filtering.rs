//! Choosing among values.
use super::numbers;
use crate::support::{case, told};
use belay::{Owner, Signal};

#[test]
fn filtering() {
    case(|| {
        assert_eq!(told(&numbers().filter(|n| n % 2 == 0)), "2 4 |");
        assert_eq!(
            told(&numbers().filter(|n| if *n < 2 { Ok(true) } else { Err("no") })),
            "1 EINVAL"
        );
        assert_eq!(told(&numbers().take(2)), "1 2 |");
        assert_eq!(told(&numbers().skip(3)), "4 |");
        assert_eq!(told(&numbers().take_last(2)), "3 4 |");
        assert_eq!(told(&numbers().skip_last(2)), "1 2 |");
        assert_eq!(told(&numbers().take_while(|n| *n < 3)), "1 2 |");
        assert_eq!(told(&numbers().take_while_inclusive(|n| *n < 3)), "1 2 3 |");
        assert_eq!(told(&numbers().skip_while(|n| *n < 3)), "3 4 |");
        assert_eq!(told(&numbers().take_until(&Signal::just("now".to_string()))), "|");
        assert_eq!(told(&numbers().skip_until(&Signal::just(()))), "1 2 3 4 |");
        assert_eq!(told(&numbers().take_until_replacement(&Signal::just(9))), "9 |");
        let owner = Owner::new();
        let during = numbers().take_during(&owner);
        assert_eq!(told(&during), "1 2 3 4 |");
        drop(owner);
        assert_eq!(told(&during), "|");
        assert_eq!(told(&numbers().element_at(2)), "3 |");
        assert_eq!(told(&numbers().element_at(9)), "ERANGE");
        assert_eq!(told(&numbers().element_at_or(9, -1)), "-1 |");
        assert_eq!(told(&numbers().first()), "1 |");
        assert_eq!(told(&numbers().first_where(|n| *n > 1)), "2 |");
        assert_eq!(told(&numbers().last()), "4 |");
        assert_eq!(told(&numbers().last_where(|n| *n < 4)), "3 |");
        assert_eq!(told(&numbers().last_where(|n| *n > 4)), "ENOENT");
        assert_eq!(told(&numbers().single()), "ERANGE");
        assert_eq!(told(&numbers().single_where(|n| *n == 3)), "3 |");
        assert_eq!(told(&numbers().find(|n| *n == 9)), "|");
        assert_eq!(told(&numbers().ignore_elements()), "|");
        assert_eq!(told(&numbers().ignore(2)), "1 3 4 |");
        assert_eq!(told(&Signal::from_values([Some(1), None]).ignore_none()), "1 |");
        let again = Signal::from_values([1, 1, 2, 1]);
        assert_eq!(told(&again.distinct()), "1 2 |");
        assert_eq!(told(&numbers().distinct_by(|n| n % 2)), "1 2 |");
        assert_eq!(told(&again.distinct_until_changed()), "1 2 1 |");
        assert_eq!(told(&numbers().distinct_until_changed_by(|a, b| a / 2 == b / 2)), "1 2 4 |");
        let (even, odd) = numbers().partition(|n| n % 2 == 0);
        assert_eq!((told(&even), told(&odd)), ("2 4 |".into(), "1 3 |".into()));
    });
}
