//! What is known of the scenes with the yard's things.

use super::{RECOVERY, SPEED, WALK, first, holds, row, says};
use crate::testing::takes::table::Row;
use anyhow::{Context as _, Result, ensure};
use boardwalk::combat::FightTable;
use boardwalk::combat::attacks::{self, Attack};

/// Updates of a second, and what gravity takes from a climb in one. Source: physics units, Constants.
const RATE: f64 = 30.0;
const FALLS: f64 = 15.68 / RATE;
/// Held bit of who is thrown down. Source: humans and combat, Data.
const THROWN_DOWN: u32 = 0x40_0000;

/// What the table of fights has of an attack.
fn attack_of(id: u16) -> Option<Attack> {
    FightTable::built_in().ok()?.find(id)
}

/// How much a column has changed since the update before.
fn change(rows: &[Row], update: usize, column: &str) -> Result<f64> {
    Ok(row(rows, update)?.get(column) - row(rows, update - 1)?.get(column))
}

/// Every rise of a damage is that of the attack whose clip plays, in the updates in which S1's shapes are on and it was measured
/// to hit; answers them. What goes with a part that is gone is no blow.
///
/// Source: humans and combat, Attacks (Timing): S1 hits on its third update, its shapes are on from the second.
fn blows(rows: &[Row], column: &str) -> Result<Vec<usize>> {
    const S1_HITS: std::ops::RangeInclusive<usize> = 1..=3;
    let mut landed = Vec::new();
    for update in 1..rows.len() {
        let rise = change(rows, update, column)?;
        let is_gone = || change(rows, update, "other removed").is_ok_and(|parts| parts > 0.0);
        if rise == 0.0 || rise < 0.0 && is_gone() {
            continue;
        }
        let clip = rows[update].get("clip");
        let attack =
            attack_of(clip as u16).with_context(|| format!("update {update}: {column} rises in clip {clip}"))?;
        let own = f64::from(attack.damage);
        ensure!(rise == own, "update {update}: {column} rises by {rise}, the attack's own is {own}");
        let k = (0..update).rev().take_while(|n| rows[*n].get("clip") == clip).count();
        ensure!(attack.id != attacks::S1 || S1_HITS.contains(&k), "update {update}: it hits on k {k}, measured is 2");
        landed.push(update);
    }
    Ok(landed)
}

/// A shut door opens before who comes, away from him, and lets him through no sooner than that; once he is gone it shuts.
/// Source: seed 000, Doors (Door_OpenBy); the swing is ours.
pub fn door(rows: &[Row]) -> Result<()> {
    const WALL: f64 = -12.0;
    const WIDE: f64 = 80.0;
    says(rows, 0, "other open", 0.0, 0.0)?;
    let opens = first(rows, 0, "opening", |row| row.get("other open") == 1.0)?;
    let wide = first(rows, opens, "open door", |row| row.get("other angle").abs() > WIDE)?;
    let through = first(rows, 0, "way through", |row| row.get("y") < WALL - 0.5)?;
    ensure!(opens < through, "he is through in update {through}, the door opens in {opens}");
    let before = rows[..opens].iter().map(|row| row.get("y")).fold(f64::MAX, f64::min);
    ensure!(before > WALL, "update {opens}: y was {before} before the door opened, the wall is at {WALL}");
    let shut = first(rows, wide.max(through), "shut door", |row| row.get("other open") == 0.0)?;
    let last = rows.last().context("nothing")?.update;
    says(rows, last, "other angle", 0.0, 1.0).with_context(|| format!("shut from update {shut} on"))
}

/// Blows add up to what a pane stands; it breaks once, with its last blow, has no body from then on, and takes no more.
/// Source: seed 000, Glass; how much it stands is ours.
pub fn pane(rows: &[Row]) -> Result<()> {
    const STANDS: f64 = 18.0;
    says(rows, 0, "other body", 1.0, 0.0)?;
    let landed = blows(rows, "other damage")?;
    ensure!(landed.len() == 4, "blows landed in updates {landed:?}, four break it");
    let broken = first(rows, 0, "broken pane", |row| row.get("other broken") == 1.0)?;
    ensure!(Some(&broken) == landed.last(), "update {broken}: it breaks, the last blow was in {:?}", landed.last());
    for row in rows {
        let (damage, gone) = (row.get("other damage"), row.update >= broken);
        ensure!((damage >= STANDS) == gone, "update {}: other damage is {damage} of {STANDS}", row.update);
        for (column, expected) in [("other broken", gone), ("other body", !gone), ("other count", gone)] {
            says(rows, row.update, column, f64::from(u8::from(expected)), 0.0)?;
        }
    }
    let again = first(rows, broken + 25, "blow at nothing", |row| row.get("clip") == 12.0)?;
    holds(rows, again + 16, RECOVERY)
}

/// Who walks against a parked car at an angle slides along its shell, as far before it as before a wall, and harms nothing; its
/// body's box begins behind that. Blows damage the part they meet and rock the car; one of them is more than a small part stands,
/// which flies off with it and lies about for 360 ticks. Source: known numbers, Trace scenarios (physics_car_walk) and human/traversal;
/// physics units, Constants (lifetime).
pub fn car_hit(rows: &[Row]) -> Result<()> {
    const SIDE: f64 = -17.1;
    const WALKED: usize = 54;
    const LIES: usize = 180;
    says(rows, WALKED, "x", SIDE + 0.480, 0.01)?;
    let slid = row(rows, WALKED)?.get("y") - row(rows, 0)?.get("y");
    ensure!(slid > 0.5, "update {WALKED}: it has slid {slid} m along the side");
    let nearest = rows[..WALKED].iter().map(|row| row.get("x")).fold(f64::MAX, f64::min);
    ensure!(nearest > SIDE + 0.470, "it comes to {} m before the side, measured are 0.480", nearest - SIDE);
    let landed = blows(rows, "other damage")?;
    ensure!(landed.first().is_some_and(|first| *first > WALKED), "blows landed in updates {landed:?}");
    for update in &landed {
        let rocks = rows[*update..].iter().take(6).map(|row| row.get("other rock").abs()).fold(0.0, f64::max);
        ensure!(rocks > 0.4, "update {update}: other rock is {rocks} at most after a blow");
    }
    let still = rows[..landed[0]].iter().find(|row| row.get("other rock") != 0.0);
    ensure!(still.is_none(), "it rocks before the first blow: {still:?}");
    let flies = first(rows, 0, "loose part", |row| row.get("other flying") > 0.0)?;
    ensure!(landed.contains(&flies), "update {flies}: a part flies off, blows landed in {landed:?}");
    let lies = rows[flies..].iter().take_while(|row| row.get("other flying") > 0.0).count();
    ensure!(lies.abs_diff(LIES) <= 2, "the part is there for {lies} updates, measured are {LIES}");
    let last = rows.last().context("nothing")?;
    ensure!(last.get("other removed") >= 1.0, "update {}: other removed is 0, a part is gone", last.update);
    says(rows, last.update, "other rock", 0.0, 0.0)
}

/// A brick is taken and thrown. It flies at one speed over the ground, falls as everything does, hurts whom it meets as hard as
/// its speed says, who reacts to a heavy blow from ahead, and drops there, worn by one.
/// Source: seed 002, How things actually move (ThrownObject_HitHuman) and Bodies (flag 0x1); settled questions 20; the speed,
/// its part in the damage and what is left of it are ours.
pub fn brick_throw(rows: &[Row]) -> Result<()> {
    const RIVAL: f64 = 8.0;
    const THROWN: f64 = 12.0;
    const DAMAGE: f64 = 14.0;
    /// The capsule's radius and the brick's half length.
    const REACH: f64 = 0.35 + 0.105;
    const KEPT: f64 = 0.2;
    let takes = first(rows, 0, "brick in the hand", |row| row.get("other carried") == 1.0)?;
    let throws = first(rows, takes, "throw", |row| row.get("other carried") == 0.0)?;
    says(rows, throws, "clip", 653.0, 0.0)?;
    let hit = first(rows, throws, "hit", |row| row.get("other health") < 100.0)?;
    let flown: Vec<usize> = (throws + 1..hit).filter(|update| rows[*update].get("other speed") > 0.0).collect();
    ensure!(flown.len() > 8, "it flies for {} updates", flown.len());
    for update in flown {
        says(rows, update, "other speed", THROWN, SPEED)?;
        if row(rows, update - 1)?.get("other speed") > 0.0 {
            let falls = -change(rows, update, "other climb")?;
            ensure!(
                (falls - FALLS).abs() < 0.01,
                "update {update}: other climb falls by {falls}, measured is {FALLS:.4}"
            );
        }
    }
    says(rows, hit, "other health", 100.0 - DAMAGE, 0.0)?;
    let short = RIVAL - row(rows, hit)?.get("other y");
    ensure!((short - REACH).abs() < THROWN / RATE, "update {hit}: it meets him {short} m before his middle, {REACH} m");
    says(rows, hit, "other speed", THROWN * KEPT, 0.2)?;
    let worn = row(rows, takes)?.get("other wear") - row(rows, hit)?.get("other wear");
    ensure!(worn == 1.0, "update {hit}: it is worn by {worn}, a throw wears once");
    let reacts = first(rows, hit, "reaction", |row| row.get("other clip") != 388.0)?;
    ensure!(reacts <= hit + 1, "update {reacts}: he reacts, the hit was in {hit}");
    let clip = row(rows, reacts)?.get("other clip");
    ensure!(
        [288.0, 292.0].contains(&clip),
        "update {reacts}: other clip is {clip}, a heavy blow from ahead is 288 or 292"
    );
    let last = rows.last().context("nothing")?;
    says(rows, last.update, "other speed", 0.0, 0.0)?;
    ensure!(last.get("other z") < 0.12, "update {}: other z is {}, it lies", last.update, last.get("other z"));
    says(rows, last.update, "other clip", 388.0, 0.0)
}

/// Each blow that lands while its shapes are on wears a thing by one, and the last one breaks it; answers when it breaks.
fn worn_out(rows: &[Row], hits: f64) -> Result<usize> {
    says(rows, 0, "other wear", hits, 0.0)?;
    let broken = first(rows, 0, "other broken of 1", |row| row.get("other broken") == 1.0)?;
    let mut left = hits;
    for update in 1..=broken {
        if change(rows, update, "other wear")? == 0.0 {
            continue;
        }
        left -= 1.0;
        says(rows, update, "other wear", left, 0.0)?;
        // Who breaks what explodes is thrown down in the same update.
        let clip = row(rows, update - 1)?.get("clip") as u16;
        ensure!(attack_of(clip).is_some(), "update {update}: other wear falls in clip {clip}, which is no attack");
    }
    ensure!(left == 0.0, "update {broken}: other wear is {left} of {hits} when it breaks, 0 is worn out");
    Ok(broken)
}

/// A crate takes as many blows as it wears, and what it breaks into falls from where it stood, as everything does, and comes to
/// lie there. Source: seed 000, World objects (WorldObject_TakeHit, WorldObject_Break); physics units, Constants (gravity); how many
/// blows and into what are ours.
pub fn broken_crate(rows: &[Row]) -> Result<()> {
    const WEARS: f64 = 3.0;
    const THROWN_APART: f64 = 2.0;
    const LIES: f64 = 0.15;
    let broken = worn_out(rows, WEARS)?;
    let before = row(rows, broken - 1)?.get("other away");
    ensure!(before > THROWN_APART, "update {}: other away is {before}, there is a plank already", broken - 1);
    let there = first(rows, broken, "other away of what falls", |row| row.get("other away") < THROWN_APART)?;
    ensure!(there <= broken + 2, "update {there}: other away falls, it broke in {broken}");
    let lands = first(rows, there, "other climb that rises anew", |row| {
        row.update > there && change(rows, row.update, "other climb").is_ok_and(|rise| rise > 0.0)
    })?;
    ensure!(lands > there + 5, "update {lands}: other climb rises, it flies from {there} on");
    for update in there + 1..lands {
        let faster = -change(rows, update, "other climb")?;
        ensure!(
            (faster - FALLS).abs() < 0.01,
            "update {update}: other climb falls by {faster}, measured is {FALLS:.4}"
        );
    }
    let last = rows.last().context("nothing")?;
    says(rows, last.update, "other climb", 0.0, 0.0)?;
    let z = last.get("other z");
    ensure!((0.0..LIES).contains(&z), "update {}: other z is {z}, it lies below {LIES}", last.update);
    let away = last.get("other away");
    ensure!(away < THROWN_APART, "update {}: other away is {away}, it fell within {THROWN_APART}", last.update);
    Ok(())
}

/// A drum of gas takes two blows; who struck it is hurt by how near he is and thrown down, and the car beside it explodes 40
/// ticks later, spares who lies, and loses its parts, which lie about for 360 ticks. Source: seed 000, Explosion_DamageHumansInRadius,
/// Car_Explode; physics units, Constants (lifetime); reach and damage are ours, full in the middle and none at the rim.
pub fn explosion(rows: &[Row]) -> Result<()> {
    const WEARS: f64 = 2.0;
    /// Reach in metres and damage in the middle.
    const REACH: f64 = 5.0;
    const MOST: f64 = 80.0;
    const FOLLOWS: usize = 20;
    const LIES: usize = 180;
    let broken = worn_out(rows, WEARS)?;
    let place = row(rows, broken - 1)?.get("other away");
    let hurt = (MOST * (1.0 - place / REACH)).floor();
    let left = row(rows, broken - 1)?.get("health") - hurt;
    says(rows, broken, "health", left, 1.0)?;
    let down = first(rows, broken, "held of who is thrown down", |row| row.get("held") as u32 & THROWN_DOWN != 0)?;
    ensure!(down <= broken + 2, "update {down}: held says thrown down, it broke in {broken}");
    let follows = first(rows, broken, "other exploded of 1", |row| row.get("other exploded") == 1.0)?;
    ensure!(
        (follows - broken).abs_diff(FOLLOWS) <= 1,
        "update {follows}: other exploded is 1, {} updates after the drum, {FOLLOWS} are 40 ticks",
        follows - broken
    );
    says(rows, follows, "health", left, 1.0)?;
    let flying = row(rows, follows)?.get("other flying");
    ensure!(flying >= 4.0, "update {follows}: other flying is {flying}, a car has more parts");
    let lies = rows[follows..].iter().take_while(|row| row.get("other flying") > 0.0).count();
    ensure!(lies.abs_diff(LIES) <= 2, "update {}: other flying is 0 after {lies}, measured are {LIES}", follows + lies);
    let last = rows.last().context("nothing")?;
    ensure!(last.get("other removed") >= flying, "update {}: other removed is less than {flying}", last.update);
    Ok(())
}

/// A round of the arena: both begin whole, five metres apart; who loses health does so while the other strikes, by what that
/// attack takes; the round is over when one is out or the time is, who won it is counted, its end is seen for three seconds, and
/// the next one begins as this one did. Our choice of the rules.
pub fn arena_round(rows: &[Row]) -> Result<()> {
    const APART: f64 = 5.0;
    const SEEN: usize = 90;
    let begins = |update: usize, round: f64| -> Result<()> {
        says(rows, update, "other round", round, 0.0)?;
        says(rows, update, "other apart", APART, 0.7)?;
        says(rows, update, "health", row(rows, 0)?.get("health"), 0.0)?;
        says(rows, update, "other health", row(rows, 0)?.get("other health"), 0.0)
    };
    begins(0, 1.0)?;
    let over = first(rows, 0, "end of the round", |row| row.get("other over") == 1.0)?;
    let mut lost = [0.0; 2];
    for update in 1..=over {
        for (n, (health, clip)) in [("health", "other clip"), ("other health", "clip")].into_iter().enumerate() {
            let taken = -change(rows, update, health)?;
            ensure!(taken >= 0.0, "update {update}: {health} rises by {}", -taken);
            if taken > 0.0 {
                let strikes = row(rows, update)?.get(clip) as u16;
                let known = attack_of(strikes).map(|attack| f64::from(attack.damage));
                let left = row(rows, update)?.get(health);
                let fits = known.is_none_or(|damage| taken <= damage) || left <= 0.0;
                ensure!(fits, "update {update}: {health} falls by {taken}, {clip} {strikes} takes {known:?}");
                lost[n] += taken;
            }
        }
    }
    ensure!(lost[1] > 0.0, "nobody was struck: {lost:?}");
    let end = row(rows, over)?;
    let out = [end.get("health"), end.get("other health")].map(|health| health <= 0.0);
    let won = [end.get("other won"), end.get("other lost")];
    let expected = match out {
        [false, true] => [1.0, 0.0],
        [true, false] => [0.0, 1.0],
        _ => [won[0], won[1]],
    };
    ensure!(out.contains(&true) || end.get("other seconds") == 0.0, "update {over}: the round is over, nobody is out");
    ensure!(won == expected, "update {over}: won and lost are {won:?}, who is out says {expected:?}");
    let next = first(rows, over, "next round", |row| row.get("other round") == 2.0)?;
    ensure!((next - over).abs_diff(SEEN) <= 2, "the end is seen for {} updates, {SEEN} is three seconds", next - over);
    begins(next, 2.0)
}

/// A fence is climbed in three parts, over the middle of which nothing collides, and left behind.
/// Source: humans and combat, Moving, ground, air (climb summary); the way is ours.
pub fn climb(rows: &[Row], height: f64) -> Result<()> {
    const FENCE: f64 = 12.0;
    const HELD: [u32; 3] = [0x8_0000, 0x40, 0x8_0000];
    let begins = first(rows, 0, "climb", |row| row.get("held") as u32 == HELD[0])?;
    ensure!(begins <= 11, "update {begins}: the climb begins, asked for in 10");
    let mut parts: Vec<u32> =
        rows[begins..].iter().map(|row| row.get("held") as u32).take_while(|held| *held != 0).collect();
    let ends = begins + parts.len();
    parts.dedup();
    ensure!(parts == HELD, "update {begins}: held is {parts:x?}, measured is {HELD:x?}");
    let over = first(rows, begins, "way over", |row| row.get("y") > FENCE)?;
    holds(rows, over, HELD[1])?;
    let highest = rows.iter().map(|row| row.get("z")).fold(0.0, f64::max);
    ensure!((highest - (height - 0.6)).abs() < 0.06, "he is {highest} m up at most, the fence is {height} m");
    says(rows, ends, "z", 0.0, 0.002)?;
    says(rows, ends, "y", FENCE + 0.75, 0.05)?;
    let walks = first(rows, ends, "walk", |row| (row.get("speed") - WALK).abs() < SPEED)?;
    ensure!(row(rows, walks)?.get("y") > FENCE + 0.75, "update {walks}: he has gone back");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Table, hold};

    fn table(lines: impl Iterator<Item = String>) -> Table {
        Table::read(&lines.collect::<Vec<_>>()).unwrap()
    }

    /// A walk through a door that opens in an update.
    fn walk(opens: usize) -> Table {
        table((0..120).map(|update| {
            let y = -8.5 - update as f64 * 0.1;
            let open = (opens..opens + 60).contains(&update);
            format!("{update} y {y} | open {} angle {}", u8::from(open), if open { 90 } else { 0 })
        }))
    }

    #[test]
    fn a_door_that_opens_too_late_or_never_shuts_is_told() {
        hold("door", &walk(20)).unwrap();
        assert!(hold("door", &walk(45)).is_err(), "he walked through a shut door");
        assert!(hold("door", &walk(80)).is_err(), "it stays open");
        assert!(hold("door", &walk(200)).is_err(), "it never opens");
    }

    /// Five blows at a pane that breaks with one of them; each lands so many updates after it has begun.
    fn glass(breaks: usize, lands: usize) -> Table {
        table((0..250).map(|update| {
            let (blow, k) = (update / 50, update % 50);
            let (strikes, done) = (k < 20, (blow + usize::from(k >= lands)).min(4));
            let broken = done >= breaks;
            let (clip, held) = if strikes { (12, if k < 16 { 1 } else { 0x4_0000 }) } else { (388, 0) };
            let (broken, body) = (u8::from(broken), u8::from(!broken));
            format!(
                "{update} clip {clip} held {held:x} | damage {} broken {broken} body {body} count {broken}",
                done * 5
            )
        }))
    }

    #[test]
    fn a_pane_that_breaks_too_early_or_by_a_blow_at_the_wrong_time_is_told() {
        hold("pane", &glass(4, 2)).unwrap();
        for (breaks, lands) in [(3, 2), (5, 2), (4, 6)] {
            let error = hold("pane", &glass(breaks, lands)).unwrap_err();
            println!("{error:#}");
        }
    }

    /// A brick that flies at a speed and falls by so much in an update.
    fn brick(speed: f64, falls: f64, damage: i32) -> Table {
        const HIT: usize = 27;
        table((0..80).map(|update| {
            let (carried, flies) = ((5..10).contains(&update), (10..HIT).contains(&update));
            let t = update.saturating_sub(10) as f64;
            let (y, z) = if update < HIT { (1.2 + t * speed / 30.0, 1.5) } else { (7.6, 0.05) };
            let climb = if flies { 3.0 - t * falls } else { 0.0 };
            let speed = if flies { speed } else if update == HIT { speed * 0.2 } else { 0.0 };
            let (wear, health) = if update >= HIT { (5, 100 - damage) } else { (6, 100) };
            let reacts = if (HIT..60).contains(&update) { 288 } else { 388 };
            format!(
                "{update} clip 653 | carried {} thrown {} y {y} z {z} speed {speed} climb {climb} wear {wear} clip {reacts} health {health}",
                u8::from(carried),
                u8::from(flies)
            )
        }))
    }

    #[test]
    fn a_brick_that_flies_too_slowly_falls_otherwise_or_hurts_too_little_is_told() {
        hold("brick_throw", &brick(12.0, 0.522_667, 14)).unwrap();
        for (speed, falls, damage) in [(11.0, 0.522_667, 14), (12.0, 0.49, 14), (12.0, 0.522_667, 13)] {
            let error = hold("brick_throw", &brick(speed, falls, damage)).unwrap_err();
            println!("{error:#}");
        }
    }

    /// A round that ends in an update, with who is out, and the wait until the next.
    fn round(out: [bool; 2], won: [u8; 2], wait: usize) -> Table {
        const OVER: usize = 100;
        table((0..OVER + wait + 5).map(|update| {
            let next = update >= OVER + wait;
            let ended = (OVER..OVER + wait).contains(&update);
            let health = |n: usize| if out[n] && ended { 0 } else { 10 };
            let [won, lost] = if update >= OVER { won } else { [0; 2] };
            let (round, over) = (1 + u8::from(next), u8::from(ended));
            let apart = if update == 0 || next { 5.0 } else { 1.0 };
            format!(
                "{update} clip 17 health {} | round {round} won {won} lost {lost} seconds 40 over {over} clip 17 health {} apart {apart}",
                health(0),
                health(1)
            )
        }))
    }

    #[test]
    fn a_round_that_is_counted_for_who_is_out_or_lasts_too_long_is_told() {
        hold("arena_round", &round([false, true], [1, 0], 90)).unwrap();
        for (out, won, wait) in [([false, true], [0, 1], 90), ([false, false], [1, 0], 90), ([false, true], [1, 0], 60)]
        {
            let error = hold("arena_round", &round(out, won, wait)).unwrap_err();
            println!("{error:#}");
        }
    }

    /// A climb whose middle part holds some bits, up to a height.
    fn over(middle: u32, height: f64) -> Table {
        table((0..60).map(|update| {
            let (held, y, z) = match update {
                0..10 => (0, 10.8, 0.0),
                10..20 => (0x8_0000, 11.5, 0.3),
                20..25 => (middle, 11.9, height - 0.6),
                25..30 => (middle, 12.1, 0.3),
                30..40 => (0x8_0000, 12.5, 0.1),
                _ => (0, 12.75 + (update - 40) as f64 * 0.05, 0.0),
            };
            format!("{update} held {held:x} y {y} z {z} speed {}", if update > 45 { 1.629 } else { 0.0 })
        }))
    }

    #[test]
    fn a_climb_with_other_bits_or_over_another_height_is_told() {
        hold("climb_low", &over(0x40, 1.2)).unwrap();
        assert!(hold("climb_low", &over(0x8_0000, 1.2)).is_err());
        assert!(hold("climb_low", &over(0x40, 2.2)).is_err());
        hold("climb_high", &over(0x40, 2.2)).unwrap();
    }

    /// A walk into a car's side to a distance, four blows, and a part that lies about.
    fn car(short: f64, lies: usize) -> Table {
        const FIRST: usize = 82;
        const LAST: usize = FIRST + 150;
        table((0..LAST + 200).map(|update| {
            let x = (-15.5 - update as f64 * 0.05).max(-17.1 + short);
            let y = -8.3 + (update.min(54) as f64) * 0.02;
            let landed = if update < FIRST { 0 } else { ((update - FIRST) / 50 + 1).min(4) };
            let since = if landed == 0 { 99 } else { update - FIRST - (landed - 1) * 50 };
            let strikes = (FIRST - 2..LAST + 18).contains(&update) && (update + 2 - FIRST) % 50 < 20;
            let clip = if strikes { 17 } else { 388 };
            let flying = u8::from((LAST..LAST + lies).contains(&update));
            let (rock, removed) = (if since < 4 { 1.0 } else { 0.0 }, u8::from(update >= LAST));
            let damage = landed * 22;
            format!("{update} clip {clip} x {x} y {y} | damage {damage} removed {removed} flying {flying} rock {rock}")
        }))
    }

    #[test]
    fn a_walker_who_stops_elsewhere_and_a_part_that_lies_too_long_are_told() {
        hold("car_hit", &car(0.48, 180)).unwrap();
        for (short, lies) in [(0.52, 180), (0.44, 180), (0.48, 150)] {
            let error = hold("car_hit", &car(short, lies)).unwrap_err();
            println!("{error:#}");
        }
    }
}
