use belay::{Loop, Signal};

fn main() -> belay::Result<()> {
    let main = Loop::new()?;
    let scheduler = main.scheduler();
    let ticks = Signal::interval(&scheduler, std::time::Duration::from_millis(1)).take(3);
    ticks.subscribe(|n| println!("{n}"))?;
    main.run()?;
    Ok(())
}
