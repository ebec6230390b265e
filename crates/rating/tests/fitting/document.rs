//! The tables of `docs/calibration.md` agree with the shipped calibrations.

use errare_rating::continuous::{Calibration, Coverage, Effect};

/// A row of a table, which the document must have.
fn row<T: AsRef<str>>(columns: impl IntoIterator<Item = T>) -> String {
    let columns: Vec<T> = columns.into_iter().collect();
    let columns: Vec<&str> = columns.iter().map(T::as_ref).collect();
    format!("| {} |", columns.join(" | "))
}

fn thousands(number: f64) -> String {
    let (sign, digits) = (
        if number < -0.5 { "-" } else { "" },
        format!("{:.0}", number.abs()),
    );
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).expect("digits"))
        .collect();
    format!("{sign}{}", groups.join(","))
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A row with the same figure of both calibrations.
fn both(
    name: &str,
    calibrations: &[Calibration; 2],
    of: impl Fn(&Calibration) -> String,
) -> String {
    let [shallow, deep] = calibrations;
    row([name.to_owned(), of(deep), of(shallow)])
}

fn samples(calibration: &Calibration) -> String {
    let origin = &calibration.origin;
    row([
        calibration.engine.depth.to_string(),
        origin.games.to_string(),
        origin.players.to_string(),
        thousands(origin.turns as f64),
        format!("{:.0} to {:.0}", origin.elo[0], origin.elo[1]),
    ])
}

/// The weights of both, each with its slope and their errors.
fn weights([shallow, deep]: &[Calibration; 2]) -> Vec<String> {
    const NAMES: [&str; 8] = [
        "cost",
        "first",
        "ranks, depth 1",
        "ranks, 2nd group",
        "ranks, 3rd group",
        "ranks, deepest",
        "cost-ahead",
        "cost-early",
    ];
    let columns = |calibration: &Calibration| -> Vec<[String; 2]> {
        let covariance = &calibration.covariance;
        let mut place = 0;
        let mut with_error = |value: f64| {
            place += 1;
            format!(
                "{value:.3} ({:.3})",
                covariance[place - 1][place - 1].sqrt()
            )
        };
        let table = calibration.lines.table();
        let each = table.iter().map(|weight| {
            let at_origin = with_error(weight.at_origin);
            [
                at_origin,
                weight.slope.map_or("-".to_owned(), &mut with_error),
            ]
        });
        each.collect()
    };
    let sides = columns(deep).into_iter().zip(columns(shallow));
    NAMES
        .iter()
        .zip(sides)
        .map(|(name, ([a, b], [c, d]))| row([(*name).to_owned(), a, b, c, d]))
        .collect()
}

fn classes(calibration: &Calibration) -> Vec<String> {
    let z = |z: Option<f64>| z.map_or("-".to_owned(), |z| format!("{z:+.2}"));
    let each = calibration.quality.classes.iter().map(|class| {
        row([
            class.elo.to_string(),
            class.games.to_string(),
            thousands(class.turns as f64),
            format!("{:.3}", class.log_loss),
            format!("{:.1} / {:.1}", 100.0 * class.mm[1], 100.0 * class.mm[0]),
            z(class.z_mm),
            format!("{:.3} / {:.3}", class.ad[1], class.ad[0]),
            z(class.z_ad),
        ])
    });
    each.collect()
}

fn reliability([shallow, deep]: &[Calibration; 2]) -> Vec<String> {
    let bins = deep
        .quality
        .reliability
        .iter()
        .zip(&shallow.quality.reliability);
    bins.map(|(deep, shallow)| {
        assert_eq!(deep.low, shallow.low);
        let both = [deep, shallow]
            .map(|bin| format!("{:.2} / {:.2}", 100.0 * bin.projected, 100.0 * bin.actual));
        row([format!("{:?} to {:?}", deep.low, deep.high)]
            .into_iter()
            .chain(both))
    })
    .collect()
}

fn coverages(calibrations: &[Calibration; 2]) -> Vec<String> {
    const HALF_WIDTH: &str = "half the width of the median closed interval, Elo";
    let rows: [(&str, fn(&Coverage) -> String); 10] = [
        ("one game: intervals", |it| it.singles.to_string()),
        ("that contain the Elo", |it| percent(it.single)),
        ("root mean square of z (1 is right)", |it| {
            format!("{:.2}", it.single_z)
        }),
        (HALF_WIDTH, |it| {
            format!("{:.0}", it.single_half_width.expect("some are closed"))
        }),
        ("open at one end or both", |it| {
            format!(
                "{:.0} %",
                100.0 * it.single_open.expect("there are intervals")
            )
        }),
        ("several games: players", |it| {
            format!("{} with {} games or more", it.aggregates, it.fewest_games)
        }),
        ("intervals that contain the Elo", |it| percent(it.aggregate)),
        ("without the player's own effect", |it| {
            percent(it.aggregate_without_player)
        }),
        ("root mean square of z", |it| {
            format!("{:.2}", it.aggregate_z)
        }),
        (HALF_WIDTH, |it| {
            format!("{:.0}", it.aggregate_half_width.expect("some are closed"))
        }),
    ];
    let each = rows.iter();
    each.map(|(name, of)| both(name, calibrations, |it| of(&it.quality.coverage)))
        .collect()
}

fn effects(calibrations: &[Calibration; 2]) -> Vec<String> {
    let words = |effect: Effect| {
        let [variance, error] = [effect.variance, effect.error].map(thousands);
        format!("{variance} ± {error} ({})", effect.count)
    };
    vec![
        both("of a player, permanently", calibrations, |it| {
            words(it.effects.player)
        }),
        both("of a game, shared by its opponents", calibrations, |it| {
            words(it.effects.shared)
        }),
        both("all three, of a player in a game", calibrations, |it| {
            words(it.effects.total)
        }),
    ]
}

fn situations([shallow, deep]: &[Calibration; 2]) -> Vec<String> {
    let each = deep
        .quality
        .situations
        .iter()
        .zip(&shallow.quality.situations);
    each.map(|(deep, shallow)| {
        assert_eq!(deep.name, shallow.name);
        let both = [deep, shallow].map(|it| format!("{:+.0} ({:.0})", it.offset, it.error));
        row([deep.name.clone()].into_iter().chain(both))
    })
    .collect()
}

fn honest(calibrations: &[Calibration; 2]) -> Vec<String> {
    let scatter = |it: &Calibration| {
        let [mm, _, ad] = it.honest.scatter;
        format!("{mm:.2}, {ad:.2}")
    };
    let tail = |it: &Calibration| {
        let tail = it.honest.tail.expect("there are honest players enough");
        format!("{:.2}, {:.2}, {:.2}", tail.from, tail.scale, tail.shape)
    };
    vec![
        both("honest players", calibrations, |it| {
            it.honest.players().to_string()
        }),
        both(
            "scatter of adjusted z: mm, ad (1 is nominal)",
            calibrations,
            scatter,
        ),
        both(
            "tail of the greater of both: from, scale, shape",
            calibrations,
            tail,
        ),
    ]
}

fn log_losses(calibrations: &[Calibration; 2]) -> Vec<String> {
    let rows: [(&str, fn(&Calibration) -> f64); 4] = [
        (
            "the paper's model (`loglog`; s and c by likelihood, a class a hundred Elo)",
            |it| it.quality.log_loss.paper,
        ),
        (
            "blend of `loglog` and `norm` (s, c and lambda likewise)",
            |it| it.quality.log_loss.blend,
        ),
        ("the continuous family", |it| it.quality.log_loss.lines),
        ("the same on the turns it is fitted to", |it| {
            it.quality.log_loss.fitted
        }),
    ];
    let each = rows.iter();
    each.map(|(name, of)| both(name, calibrations, |it| format!("{:.3}", of(it))))
        .collect()
}

/// The root mean squares of z, in words.
fn rms([shallow, deep]: &[Calibration; 2]) -> [String; 2] {
    let of = |it: &Calibration| it.quality.rms_z.expect("classes have z");
    let [[mm, ad], [deep_mm, deep_ad]] = [of(shallow), of(deep)];
    [
        format!("The root mean squares of z are {deep_mm:.2} (mm) and {deep_ad:.2} (ad)"),
        format!("Here they are {mm:.2} and {ad:.2}."),
    ]
}

/// The text under a heading.
fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let (_, section) = text
        .split_once(&format!("\n## {heading}\n"))
        .unwrap_or_else(|| panic!("docs/calibration.md lacks the heading {heading}"));
    section
        .split_once("\n## ")
        .map_or(section, |(section, _)| section)
}

#[test]
fn it_says_what_the_calibrations_say() {
    let text = include_str!("../../../../docs/calibration.md");
    let all: Vec<Calibration> = Calibration::all_shipped().collect();
    let calibrations: [Calibration; 2] = all.try_into().expect("two depths");
    assert_eq!(calibrations.each_ref().map(|it| it.engine.depth), [8, 10]);
    let each_sample = calibrations.iter().map(samples).collect();
    let mut predicted = log_losses(&calibrations);
    predicted.extend(calibrations.iter().flat_map(classes));
    predicted.extend(reliability(&calibrations));
    predicted.extend(rms(&calibrations));
    let mut missing = Vec::new();
    for (heading, parts) in [
        ("How they were made", each_sample),
        ("The weights", weights(&calibrations)),
        ("How well moves are predicted", predicted),
        ("How far play is from ratings", effects(&calibrations)),
        ("Whether intervals hold", coverages(&calibrations)),
        ("Biases", situations(&calibrations)),
        ("Screening", honest(&calibrations)),
    ] {
        let section = section(text, heading);
        missing.extend(parts.into_iter().filter(|part| !section.contains(part)));
    }
    assert!(
        missing.is_empty(),
        "docs/calibration.md lacks:\n{}",
        missing.join("\n")
    );
}
