//! hello: a window listens to numbers, and a timer closes the window.
use belay::{Loop, Owner, Subject};
use std::time::Duration;

fn main() -> belay::Result<()> {
    let main = Loop::new()?;
    let numbers: Subject<i32> = Subject::new();
    let window = Owner::build()
        .deinit(|| println!("window is closed"))
        .create()?;
    let squares = numbers.filter(|n| n % 2 == 0).map(|n| n * n);
    squares
        .observe()
        .next(|n| println!("window sees {n}"))
        .owned_by(&window)
        .subscribe()?;

    for n in 1..=4 {
        numbers.next(n)?;
    }
    main.scheduler()
        .after(Duration::from_millis(100), move || drop(window))?;
    main.run()?; // the window goes, and its subscription with it
    println!("{} are listening", numbers.count());
    Ok(())
}
