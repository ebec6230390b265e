//! The options of the engine: declares and sets them, and turns them into the settings of a seat.

use std::{env, path::PathBuf, sync::Arc, time::Duration};

use errare_choice::Kappa;
use errare_core::{Competence, Elo, Metric};
use errare_players::{EngineName, PlayerName};
use errare_rating::continuous::Calibration;
use errare_service::seat::{SeatSettings, Seed};

/// An option and its value.
#[derive(Debug, Clone)]
struct Setting {
    name: &'static str,
    kind: Kind,
    value: String,
}

/// The type of an option.
#[derive(Debug, Clone)]
enum Kind {
    Check,
    Spin(u64, u64),
    Combo(Vec<String>),
    /// A text, a description of valid values, and a check.
    Text(&'static str, fn(&str) -> bool),
}

/// The options with their current values.
#[derive(Debug, Clone)]
pub struct Options {
    settings: Vec<Setting>,
    /// The calibration of human play, unless it is a shipped one.
    calibration: Option<Arc<Calibration>>,
    /// Does `Skill` set the competence? Otherwise `Competence` does: whichever was changed last.
    by_skill: bool,
    /// How often a seed was given.
    seeds: u64,
}

/// The agents: UCI name, player's name, and the keys that name takes.
const AGENTS: [(&str, &str, &[&str]); 8] = [
    ("player", "rep", &["c", "kappa", "horizon", "value"]),
    ("emulator", "emulator", &["c", "kappa"]),
    ("predator", "predator", &["kappa"]),
    ("hunter", "hunter", &["kappa"]),
    ("infallible", "best", &[]),
    ("random", "random", &[]),
    ("human", "human", &["elo"]),
    ("minimax", "minimax", &["depth"]),
];

/// The keys of players' names, and the option that sets each.
const KEYS: [(&str, &str); 5] = [
    ("c", "Competence"),
    ("kappa", "Kappa"),
    ("horizon", "Horizon"),
    ("elo", "UCI_Elo"),
    ("depth", "MinimaxDepth"),
];

/// The protocol's notation for an empty string.
const EMPTY: &str = "<empty>";

impl Options {
    /// The initial options, for this player, this engine for players that name none, and this calibration of human play in
    /// place of the shipped ones.
    pub fn new(player: &PlayerName, engine: &str, calibration: Option<Calibration>) -> Options {
        let [least, most] = elo_range(calibration.as_ref());
        let names = |names: &[&str]| Kind::Combo(names.iter().map(|&name| name.into()).collect());
        let anything = Kind::Text("a text", |_| true);
        let agents = names(&AGENTS.map(|(agent, ..)| agent));
        let metrics = names(&Metric::ALL.map(Metric::name));
        let competence = Kind::Text("a number or inf", |it| it.parse::<Competence>().is_ok());
        let kappa = Kind::Text("a number of at least 0", |it| it.parse::<Kappa>().is_ok());
        let seed = Kind::Text("a whole number or random", |it| {
            it == "random" || it == EMPTY || it.parse::<u64>().is_ok()
        });
        let directory = Kind::Text("a directory", |it| {
            let path = PathBuf::from(it);
            path.is_dir() || !path.exists()
        });
        let depth = EngineName::DEPTH.to_string();
        let settings = [
            ("Agent", agents, "player"),
            ("Competence", competence, "20"),
            ("Skill", Kind::Spin(0, 100), "20"),
            ("UCI_LimitStrength", Kind::Check, "false"),
            ("UCI_Elo", Kind::Spin(least, most), "1800"),
            ("Metric", metrics, "dtc"),
            ("Kappa", kappa, "1"),
            ("Horizon", Kind::Spin(0, 500), "0"),
            ("KeepResult", Kind::Check, "true"),
            ("Seed", seed, "random"),
            ("TablePath", directory, EMPTY),
            ("SyzygyPath", anything.clone(), EMPTY),
            ("BuildMen", Kind::Spin(0, 5), "5"),
            ("Engine", anything, engine),
            ("EngineDepth", Kind::Spin(1, 100), &depth),
            ("MinimaxDepth", Kind::Spin(1, 6), "3"),
            ("MoveTime", names(&["instant", "human"]), "instant"),
            ("Move Overhead", Kind::Spin(0, 5000), "30"),
            ("MultiPV", Kind::Spin(1, 256), "1"),
            ("UCI_AnalyseMode", Kind::Check, "false"),
            ("Ponder", Kind::Check, "false"),
        ];
        let settings = settings.map(|(name, kind, value)| Setting {
            name,
            kind,
            value: value.to_owned(),
        });
        let mut options = Options {
            settings: Vec::from(settings),
            calibration: calibration.map(Arc::new),
            by_skill: false,
            seeds: 0,
        };
        options.adopt(player);
        options.put("Skill", &whole(options.competence()).to_string());
        options
    }

    /// Sets the options that describe a player; if they cannot, adds its name to the agents.
    fn adopt(&mut self, player: &PlayerName) {
        let text = player.to_string();
        let (name, rest) = text.split_once(':').unwrap_or((&text, ""));
        let mut changed = self.clone();
        let agent = AGENTS.iter().find(|(_, known, _)| *known == name);
        let mut told = agent.is_some_and(|(agent, ..)| changed.set("Agent", agent).is_ok());
        for (key, value) in rest.split(',').filter_map(|part| part.split_once('=')) {
            let option = match (key, name) {
                ("engine", _) => "Engine",
                ("depth", "minimax") => "MinimaxDepth",
                ("depth", _) => "EngineDepth",
                _ => KEYS.iter().find(|(k, _)| *k == key).map_or("", |k| k.1),
            };
            told &= match key {
                "value" => changed.set("KeepResult", "false").is_ok(),
                _ => changed.set(option, value).is_ok(),
            };
        }
        let engine = changed.engine();
        let named = changed.player().ok();
        let named = named.and_then(|named| named.with_engine(engine.as_ref()));
        if told && named == player.clone().with_engine(engine.as_ref()) {
            return *self = changed;
        }
        let agent = &mut self.settings[0];
        if let Kind::Combo(agents) = &mut agent.kind {
            agents.push(text.clone());
        }
        agent.value = text;
    }

    /// The lines that declare the options.
    pub(crate) fn declare(&self) -> impl Iterator<Item = String> + '_ {
        self.settings.iter().map(|Setting { name, kind, value }| {
            let kind = match kind {
                Kind::Check => format!("check default {value}"),
                Kind::Spin(min, max) => format!("spin default {value} min {min} max {max}"),
                Kind::Combo(all) => format!("combo default {value} var {}", all.join(" var ")),
                Kind::Text(..) => format!("string default {value}"),
            };
            format!("option name {name} type {kind}")
        })
    }

    /// Sets an option; the error says why it was not changed. Programs may send every option they know: a value that an option
    /// has already changes nothing, except that a seed begins its games again.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let same = |setting: &&Setting| setting.name.eq_ignore_ascii_case(name);
        let Some(setting) = self.settings.iter().find(same) else {
            return Err(format!("there is no option {name:?}"));
        };
        let name = setting.name;
        let value = setting
            .kind
            .read(value)
            .map_err(|expected| format!("{name} is {expected}, not {value:?}"))?;
        let mut changed = self.clone();
        match name {
            "Skill" | "Competence" if setting.value != value => changed.by_skill = name == "Skill",
            "Skill" | "Competence" if whole(&value) != whole(self.competence()) => {
                let standing = if self.by_skill { "Skill" } else { "Competence" };
                let c = self.competence();
                return Err(format!(
                    "{name} was {value} before; {standing} {c}, changed later, counts"
                ));
            }
            "Seed" => changed.seeds += u64::from(value.parse::<u64>().is_ok()),
            _ => {}
        }
        changed.put(name, &value);
        changed.player()?;
        *self = changed;
        Ok(())
    }

    fn put(&mut self, name: &str, value: &str) {
        let mut settings = self.settings.iter_mut();
        let setting = settings.find(|setting| setting.name == name);
        value.clone_into(&mut setting.expect("it is in the table").value);
    }

    fn get(&self, name: &str) -> &str {
        let setting = self.settings.iter().find(|setting| setting.name == name);
        &setting.expect("it is in the table").value
    }

    /// c of the player.
    fn competence(&self) -> &str {
        self.get(match self.by_skill {
            true => "Skill",
            false => "Competence",
        })
    }

    fn number(&self, name: &str) -> u64 {
        self.get(name).parse().expect("it was checked")
    }

    fn is_on(&self, name: &str) -> bool {
        self.get(name) == "true"
    }

    /// A text option, unless it is empty.
    fn text(&self, name: &str) -> Option<&str> {
        Some(self.get(name)).filter(|text| *text != EMPTY)
    }

    /// The Move Overhead: time reserved for communication delays.
    pub(crate) fn overhead(&self) -> Duration {
        Duration::from_millis(self.number("Move Overhead"))
    }

    /// The settings for a seat.
    pub(crate) fn settings(&self) -> SeatSettings {
        SeatSettings {
            player: self.player().expect("it was checked"),
            by_tables: self.named("player").expect("it was checked"),
            engine: self.engine(),
            calibration: self.calibration.clone(),
            tables: self.text("TablePath").map(PathBuf::from),
            metric: self.get("Metric").parse().expect("it was checked"),
            syzygy: self
                .text("SyzygyPath")
                .map_or_else(Vec::new, |it| env::split_paths(it).collect()),
            seed: self.get("Seed").parse().ok().map(|number| Seed {
                number,
                given: self.seeds,
            }),
            build_men: self.number("BuildMen") as usize,
            human_time: self.get("MoveTime") == "human",
            lines: self.number("MultiPV") as usize,
            analyses: self.is_on("UCI_AnalyseMode"),
        }
    }

    fn engine(&self) -> Option<EngineName> {
        Some(EngineName {
            name: self.text("Engine")?.to_owned(),
            depth: self.number("EngineDepth") as u8,
        })
    }

    /// The player that the options name.
    fn player(&self) -> Result<PlayerName, String> {
        self.named(match self.is_on("UCI_LimitStrength") {
            true => "human",
            false => self.get("Agent"),
        })
    }

    /// The player that the options describe, if the agent is this one.
    fn named(&self, agent: &str) -> Result<PlayerName, String> {
        let mut text = agent.to_owned();
        if let Some((_, name, keys)) = AGENTS.iter().find(|(known, ..)| *known == agent) {
            let told = KEYS.iter().filter(|(key, _)| keys.contains(key));
            let told = told.map(|(key, option)| match *option {
                "Competence" => format!("{key}={}", self.competence()),
                option => format!("{key}={}", self.get(option)),
            });
            let mut told: Vec<String> = told.filter(|pair| pair != "horizon=0").collect();
            if keys.contains(&"value") && !self.is_on("KeepResult") {
                told.push("value=risk".to_owned());
            }
            text = format!("{name}:{}", told.join(","));
        }
        let text = text.trim_end_matches(':');
        text.parse().map_err(|error| format!("{text}: {error}"))
    }
}

impl Kind {
    /// The value in its stored form; the error describes valid values.
    fn read(&self, value: &str) -> Result<String, String> {
        let value = if value.is_empty() { EMPTY } else { value };
        match self {
            Kind::Check => Some(value.to_ascii_lowercase())
                .filter(|value| value == "true" || value == "false")
                .ok_or_else(|| "true or false".to_owned()),
            Kind::Spin(min, max) => (value.parse().ok())
                .filter(|number| (min..=max).contains(&number))
                .map(|number: u64| number.to_string())
                .ok_or_else(|| format!("a whole number from {min} to {max}")),
            Kind::Combo(all) => (all.iter())
                .find(|one| one.eq_ignore_ascii_case(value))
                .cloned()
                .ok_or_else(|| format!("one of {}", all.join(", "))),
            Kind::Text(expected, accepts) => match accepts(value) {
                true => Ok(value.to_owned()),
                false => Err((*expected).to_owned()),
            },
        }
    }
}

/// A competence as `Skill` shows it.
fn whole(competence: &str) -> f64 {
    let competence = competence.parse().map_or(0.0, Competence::get);
    competence.round().clamp(0.0, 100.0)
}

/// The ratings covered by a calibration, or by the shipped ones at the default depth.
fn elo_range(calibration: Option<&Calibration>) -> [u64; 2] {
    let shipped = Calibration::all_shipped();
    let usual = shipped.filter(|calibration| calibration.engine.depth == EngineName::DEPTH);
    let ranges: Vec<[f64; 2]> = match calibration {
        Some(calibration) => vec![calibration.range()],
        None => usual.map(|calibration| calibration.range()).collect(),
    };
    let ranges = ranges.into_iter();
    let [least, most] = ranges.fold([Elo::MOST, Elo::LEAST], |[least, most], [low, high]| {
        [least.min(low), most.max(high)]
    });
    [least.ceil() as u64, most.floor() as u64]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(player: &str) -> Options {
        Options::new(&player.parse().expect("a player"), "stockfish", None)
    }

    fn named(options: &Options) -> String {
        options.settings().player.to_string()
    }

    /// The options start with whatever player the command line names.
    #[test]
    fn the_command_line_sets_the_default() {
        for (player, agent) in [
            ("rep:c=12.5,kappa=2,horizon=3,value=risk", "player"),
            ("emulator:c=7", "emulator"),
            ("predator", "predator"),
            ("predator:plies=4,c=20", "predator:plies=4,c=20"),
            ("hunter", "hunter"),
            ("hunter:c=20", "hunter:c=20"),
            ("best", "infallible"),
            ("best:ties=first", "best:ties=first"),
            ("random", "random"),
            ("minimax:depth=2", "minimax"),
            ("zero:depth=3", "zero:depth=3"),
            ("human:elo=1650,depth=8", "human"),
            ("uci:stockfish,depth=3", "uci:stockfish,depth=3"),
        ] {
            let options = options(player);
            assert_eq!(named(&options), player);
            let declared = options.declare().next().expect("the agent is the first");
            let default = format!("option name Agent type combo default {agent} var ");
            assert!(declared.starts_with(&default), "{declared}");
            assert!(declared.contains(&format!(" var {agent}")), "{declared}");
        }
        let with_engine = options("human:elo=1650,engine=/bin/fish,depth=10").settings();
        let engine = with_engine.engine.expect("it was named");
        assert_eq!((&*engine.name, engine.depth), ("/bin/fish", 10));
    }

    #[test]
    fn options_change_the_player() {
        let mut options = options("rep:c=20");
        for (name, value, player) in [
            ("Competence", "12.5", "rep:c=12.5"),
            ("Skill", "40", "rep:c=40"),
            ("competence", "inf", "rep:c=inf"),
            ("KeepResult", "false", "rep:c=inf,value=risk"),
            ("KeepResult", "TRUE", "rep:c=inf"),
            ("Horizon", "4", "rep:c=inf,horizon=4"),
            ("Skill", "7", "rep:c=7,horizon=4"),
            ("Agent", "Emulator", "emulator:c=7"),
            ("Agent", "predator", "predator"),
            ("UCI_Elo", "1600", "predator"),
            ("UCI_LimitStrength", "true", "human:elo=1600,depth=8"),
            ("UCI_LimitStrength", "false", "predator"),
            ("Agent", "hunter", "hunter"),
            ("Agent", "infallible", "best"),
        ] {
            assert_eq!(options.set(name, value), Ok(()), "{name}");
            assert_eq!(named(&options), player, "{name} {value}");
        }
        for (name, value) in [
            ("Agent", "nobody"),
            ("Competence", "NaN"),
            ("Kappa", "-1"),
            ("Kappa", ""),
            ("Skill", "101"),
            ("UCI_Elo", "99999"),
            ("Horizon", "-1"),
            ("KeepResult", "perhaps"),
            ("Metric", "dtx"),
            ("Seed", "x"),
            ("MultiPV", "0"),
            ("TablePath", "/dev/null"),
            ("NoSuchOption", "1"),
        ] {
            let before = format!("{options:?}");
            assert!(options.set(name, value).is_err(), "{name}");
            assert_eq!(format!("{options:?}"), before);
        }
    }

    /// A value that the agent cannot have is refused, in whatever order the options are set.
    #[test]
    fn agents_and_their_values_go_together() {
        let mut options = options("emulator:c=7");
        assert!(options.set("Competence", "inf").is_err());
        options.set("Agent", "player").expect("it is one");
        options.set("Competence", "inf").expect("a player can be");
        let refused = options.set("Agent", "emulator").expect_err("it cannot");
        assert!(refused.contains("emulator:c=inf"), "{refused}");
        assert_eq!(named(&options), "rep:c=inf");
    }

    /// The names and default values that a program reads, in their order.
    fn defaults(options: &Options) -> Vec<(String, String)> {
        let default = |line: String| {
            let (name, rest) = line["option name ".len()..].split_once(" type ")?;
            let value = rest.split_once(" default ")?.1;
            let value = value.split(" min ").next()?.split(" var ").next()?;
            Some((name.to_owned(), value.to_owned()))
        };
        options
            .declare()
            .map(|it| default(it).expect("it has a default"))
            .collect()
    }

    /// Programs may send every option as it was declared, whatever player the command line names.
    #[test]
    fn defaults_change_nothing() {
        for player in [
            "rep:c=12.5",
            "rep:c=inf",
            "rep:c=-3",
            "emulator:c=7.4",
            "predator:plies=4,c=20",
            "human:elo=1650",
        ] {
            let mut options = options(player);
            let before = options.settings();
            for (name, value) in defaults(&options) {
                assert_eq!(options.set(&name, &value), Ok(()), "{player}: {name}");
            }
            assert_eq!(options.settings(), before, "{player}");
        }
    }

    /// Of `Competence` and `Skill` the one that was changed last counts, in whatever order a program sends both.
    #[test]
    fn the_later_change_counts() {
        let mut options = options("rep:c=20");
        // The user changes one of them; the program sends all.
        for (changed, value, player) in [
            ("Competence", "12.5", "rep:c=12.5"),
            ("Skill", "40", "rep:c=40"),
            ("Competence", "7", "rep:c=7"),
            ("Competence", "12.5", "rep:c=12.5"),
            ("Skill", "20", "rep:c=20"),
        ] {
            let mut all = defaults(&options);
            for (name, sent) in &mut all {
                if name == changed {
                    value.clone_into(sent);
                }
            }
            let refused: Vec<String> = (all.iter())
                .filter_map(|(name, value)| options.set(name, value).err())
                .collect();
            assert_eq!(named(&options), player, "{changed} {value}");
            // `Skill` is sent after `Competence`, and not ignored without a word.
            let expected = usize::from(changed == "Competence");
            assert_eq!(refused.len(), expected, "{refused:?}");
            assert!(
                refused
                    .iter()
                    .all(|it| it.ends_with("changed later, counts"))
            );
        }
    }

    /// A seed begins the same games again whenever it is given; other options do not.
    #[test]
    fn a_seed_can_be_given_again() {
        let mut options = options("best");
        let mut seed = |name: &str, value: &str| {
            options.set(name, value).expect("it can be set");
            options.settings().seed
        };
        let first = seed("Seed", "7");
        assert_eq!(first.map(|seed| seed.number), Some(7));
        assert_eq!(seed("MultiPV", "2"), first);
        assert_ne!(seed("Seed", "7"), first);
        assert_eq!(seed("Seed", "random"), None);
    }

    /// The document has a row for each option with its default, and states the range of ratings.
    #[test]
    fn every_option_is_documented() {
        let document = include_str!("../../../docs/uci.md");
        for (name, value) in defaults(&options("rep:c=20")) {
            let rows = document.lines().filter_map(|line| {
                let mut cells = line.strip_prefix('|')?.split('|');
                let mut cell = || {
                    Some(
                        cells
                            .next()?
                            .split(", ")
                            .map(|it| it.trim_matches([' ', '`'])),
                    )
                };
                Some((cell()?, cell()?))
            });
            let mut shown = rows.filter_map(|(mut names, mut values)| {
                let place = names.position(|it| it == name)?;
                values.nth(place)
            });
            assert_eq!(shown.next(), Some(&*value.replace(EMPTY, "")), "{name}");
        }
        let [least, most] = elo_range(None);
        assert!(document.contains(&format!("from {least} to {most}")));
        for calibration in Calibration::all_shipped() {
            let [least, most] = calibration.calibrated();
            let made = format!("From {least:.0} to {most:.0} they rest on games");
            assert!(document.contains(&made), "{made}");
        }
    }

    #[test]
    fn an_empty_text_is_none() {
        let mut options = options("best");
        for (name, value) in [("Engine", "<empty>"), ("Engine", ""), ("TablePath", "")] {
            options.set(name, value).expect("it can be empty");
        }
        let settings = options.settings();
        assert_eq!((settings.engine, settings.tables), (None, None));
    }
}
