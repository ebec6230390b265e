//! Names of endgame players: the small language used by every verb.

use std::{fmt, str::FromStr};

use errare_choice::{Grid, Kappa, ParseGridError, ParseKappaError};
use errare_core::Competence;

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use crate::{
    Emulator, Hunter, Infallible, Library, NoSuchEmulator, Objective, ParseTieBreakError, Predator,
    RandomPlayer, ReferencePlayer, TableAgent, TablePlayError, TablePlayer, TableView, TieBreak,
    Weighting,
    predator::{Opponent, PredatorDepth},
};

/// The name of an endgame player.
///
/// ```
/// use errare_endgame::PlayerSpec;
///
/// let player: PlayerSpec = "rep:c=20,horizon=3".parse()?;
/// assert_eq!(player.to_string(), "rep:c=20,horizon=3");
/// assert!("emulator:c=-1".parse::<PlayerSpec>().is_err());
/// # Ok::<(), errare_endgame::ParseTablePlayerError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum PlayerSpec {
    /// `best`, `best:ties=first`: plays one of the best moves.
    Best {
        /// Its tie-breaking rule.
        ties: TieBreak,
    },
    /// `random`: any legal move.
    Random,
    /// `rep:c=20,kappa=1,horizon=3,value=risk`: the reference player R_c.
    Reference {
        /// c.
        competence: f64,
        /// κ.
        kappa: Kappa,
        /// H.
        horizon: Option<u16>,
        /// May it lose value?
        risks_value: bool,
    },
    /// `predator:plies=4`, `predator:c=20`: the Predator, which learns or knows its opponent's
    /// competence.
    Predator {
        /// Its search depth.
        plies: PredatorDepth,
        /// κ.
        kappa: Kappa,
        /// The competences it considers.
        grid: Grid,
        /// The opponent's competence, if it is known.
        known: Option<f64>,
    },
    /// `emulator:c=20`: the Emulator E_c.
    Emulator {
        /// c.
        competence: f64,
        /// κ.
        kappa: Kappa,
    },
    /// `hunter:c=20`, `hunter:objective=fifty`: the exact hunter, which learns or knows its opponent's
    /// competence.
    Hunter(Hunter),
}

/// Returned when a text does not name a player.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ParseTablePlayerError {
    /// Unknown player.
    #[error(
        "there is no player {0:?}; players are best, random, rep:c=20, predator, hunter and emulator:c=20"
    )]
    Name(String),
    /// Unknown option.
    #[error("{player} has no option {option:?}; it has {known}")]
    Option {
        /// The player.
        player: &'static str,
        /// The option.
        option: String,
        /// The options it has.
        known: &'static str,
    },
    /// An option is missing.
    #[error("{player} needs an option c, as in {player}:c=20")]
    Competence {
        /// The player.
        player: &'static str,
    },
    /// An option's value is out of range.
    #[error("{option} = {value:?} is not valid; it must be {expected}")]
    Value {
        /// The option.
        option: &'static str,
        /// The value.
        value: String,
        /// The values it can have.
        expected: &'static str,
    },
    /// A bad κ.
    #[error(transparent)]
    Kappa(#[from] ParseKappaError),
    /// A bad grid.
    #[error(transparent)]
    Grid(#[from] ParseGridError),
    /// A bad tie-breaking rule.
    #[error(transparent)]
    Ties(#[from] ParseTieBreakError),
    /// A bad c for an Emulator.
    #[error(transparent)]
    Emulator(#[from] NoSuchEmulator),
}

impl PlayerSpec {
    /// The default grid of a Predator: 0(1)50.
    pub fn default_grid() -> Grid {
        "0(1)50".parse().expect("this is a grid")
    }
}

impl PlayerSpec {
    /// The same player, with this many bytes of memory for its solutions, shared with other players.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> PlayerSpec {
        match self {
            PlayerSpec::Hunter(hunter) => PlayerSpec::Hunter(Hunter {
                library: Library::shared(bytes),
                ..hunter
            }),
            other => other,
        }
    }

    /// Starts one side of a new game.
    pub fn sit(&self) -> Box<dyn TableAgent> {
        match *self {
            PlayerSpec::Best { ties } => Box::new(Infallible { ties }),
            PlayerSpec::Random => Box::new(RandomPlayer),
            PlayerSpec::Reference {
                competence,
                kappa,
                horizon,
                risks_value,
            } => Box::new(reference(competence, kappa, horizon, risks_value)),
            PlayerSpec::Predator {
                plies,
                kappa,
                grid,
                known,
            } => Box::new(match known {
                Some(competence) => Predator {
                    kappa,
                    plies,
                    opponent: Opponent::Known(competence),
                },
                None => Predator::learning(kappa, plies, grid),
            }),
            PlayerSpec::Emulator { competence, kappa } => {
                let emulator = Emulator::new(competence, kappa);
                Box::new(emulator.expect("the name was parsed"))
            }
            PlayerSpec::Hunter(ref hunter) => hunter.sit(),
        }
    }
}

impl TablePlayer for PlayerSpec {
    fn agent(&self) -> Box<dyn TableAgent + '_> {
        self.sit()
    }

    fn chances(&self, view: TableView<'_>) -> Result<Option<Vec<f64>>, TablePlayError> {
        let moves = view.turn.choices().len();
        Ok(Some(match *self {
            PlayerSpec::Best { ties } => ties.probabilities(view)?,
            PlayerSpec::Random => vec![1.0 / moves as f64; moves],
            PlayerSpec::Reference {
                competence,
                kappa,
                horizon,
                risks_value,
            } => reference(competence, kappa, horizon, risks_value).probabilities(view.turn),
            PlayerSpec::Predator { known: Some(_), .. } => {
                let mut chances = vec![0.0; moves];
                // It never leaves anything to chance.
                let chosen = self
                    .agent()
                    .choose(view, &mut ChaCha8Rng::seed_from_u64(0))?;
                chances[chosen] = 1.0;
                chances
            }
            // They learn from the game, or look at its clock.
            PlayerSpec::Predator { known: None, .. }
            | PlayerSpec::Emulator { .. }
            | PlayerSpec::Hunter(_) => {
                return Ok(None);
            }
        }))
    }
}

fn reference(
    competence: f64,
    kappa: Kappa,
    horizon: Option<u16>,
    risks_value: bool,
) -> ReferencePlayer {
    ReferencePlayer {
        competence,
        kappa,
        weighting: Weighting {
            risks_value,
            horizon,
            own: None,
        },
    }
}

/// The options of a player's name, taken one by one.
struct Options<'a> {
    player: &'static str,
    known: &'static str,
    left: Vec<(&'a str, &'a str)>,
}

impl<'a> Options<'a> {
    fn take(&mut self, name: &str) -> Option<&'a str> {
        let at = self.left.iter().position(|option| option.0 == name)?;
        Some(self.left.remove(at).1)
    }

    fn competence(&mut self) -> Result<f64, ParseTablePlayerError> {
        let player = self.player;
        self.known_competence()?
            .ok_or(ParseTablePlayerError::Competence { player })
    }

    fn known_competence(&mut self) -> Result<Option<f64>, ParseTablePlayerError> {
        let expected = "a number from -10000 to 10000, inf or -inf";
        let competence = self.parsed("c", expected, |_: &Competence| true)?;
        Ok(competence.map(Competence::get))
    }

    fn kappa(&mut self) -> Result<Kappa, ParseTablePlayerError> {
        Ok(self.take("kappa").map_or(Ok(Kappa::ONE), str::parse)?)
    }

    fn parsed<T: FromStr>(
        &mut self,
        option: &'static str,
        expected: &'static str,
        makes_sense: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, ParseTablePlayerError> {
        let Some(value) = self.take(option) else {
            return Ok(None);
        };
        let parsed = value.parse().ok().filter(makes_sense);
        parsed
            .map(Some)
            .ok_or_else(|| ParseTablePlayerError::Value {
                option,
                value: value.to_owned(),
                expected,
            })
    }

    fn hunter(&mut self) -> Result<Hunter, ParseTablePlayerError> {
        let of_default = Hunter::default();
        Ok(Hunter {
            objective: self
                .take("objective")
                .map_or(Ok(of_default.objective), |name| {
                    let named = |objective: &Objective| objective.name() == name;
                    let found = Objective::ALL.into_iter().find(named);
                    found.ok_or_else(|| ParseTablePlayerError::Value {
                        option: "objective",
                        value: name.to_owned(),
                        expected: "length, fifty or swindle",
                    })
                })?,
            known: self
                .parsed("c", "a number from 0 to 10000, or inf", |c: &Competence| {
                    c.get() >= 0.0
                })?
                .map(Competence::get),
            kappa: self.kappa()?,
            risks_value: self.risked("value")?,
            risks_own: self.risked("own")?,
            moves: self
                .parsed(
                    "moves",
                    "a number of moves from 1 to 1000",
                    |moves: &u32| (1..=1000).contains(moves),
                )?
                .unwrap_or(of_default.moves),
            grid: self.take("grid").map_or(Ok(of_default.grid), str::parse)?,
            library: of_default.library,
        })
    }

    /// Reads an option that is `keep` or `risk`; true for the latter.
    fn risked(&mut self, option: &'static str) -> Result<bool, ParseTablePlayerError> {
        let known = |value: &String| value == "keep" || value == "risk";
        let value = self.parsed(option, "keep or risk", known)?;
        Ok(value.is_some_and(|value| value == "risk"))
    }

    /// Rejects options that were not taken.
    fn finish(self) -> Result<(), ParseTablePlayerError> {
        match self.left.first() {
            None => Ok(()),
            Some((option, _)) => Err(ParseTablePlayerError::Option {
                player: self.player,
                option: (*option).to_owned(),
                known: self.known,
            }),
        }
    }
}

impl FromStr for PlayerSpec {
    type Err = ParseTablePlayerError;

    fn from_str(text: &str) -> Result<PlayerSpec, ParseTablePlayerError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let left = options
            .split(',')
            .filter(|option| !option.is_empty())
            .map(|option| option.split_once('=').unwrap_or((option, "")))
            .collect();
        let (player, known) = match name {
            "best" => ("best", "ties"),
            "random" => ("random", "none"),
            "rep" => ("rep", "c, kappa, horizon and value"),
            "predator" => ("predator", "plies, c, kappa and grid"),
            "emulator" => ("emulator", "c and kappa"),
            "hunter" => ("hunter", "c, objective, kappa, value, own, moves and grid"),
            _ => return Err(ParseTablePlayerError::Name(text.to_owned())),
        };
        let mut options = Options {
            player,
            known,
            left,
        };
        let spec = match player {
            "best" => PlayerSpec::Best {
                ties: options
                    .take("ties")
                    .map_or(Ok(TieBreak::default()), str::parse)?,
            },
            "random" => PlayerSpec::Random,
            "rep" => PlayerSpec::Reference {
                competence: options.competence()?,
                kappa: options.kappa()?,
                horizon: options.parsed("horizon", "a number of moves", |_| true)?,
                risks_value: options.risked("value")?,
            },
            "predator" => PlayerSpec::Predator {
                plies: options
                    .parsed("plies", "an even number of at least 2", |&plies| {
                        PredatorDepth::new(plies).is_some()
                    })?
                    .and_then(PredatorDepth::new)
                    .unwrap_or(PredatorDepth::TWO),
                known: options.known_competence()?,
                kappa: options.kappa()?,
                grid: options
                    .take("grid")
                    .map_or(Ok(PlayerSpec::default_grid()), str::parse)?,
            },
            "hunter" => PlayerSpec::Hunter(options.hunter()?),
            _ => {
                let (competence, kappa) = (options.competence()?, options.kappa()?);
                Emulator::new(competence, kappa)?;
                PlayerSpec::Emulator { competence, kappa }
            }
        };
        options.finish()?;
        Ok(spec)
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = Vec::new();
        let mut say =
            |name: &str, value: &dyn fmt::Display| options.push(format!("{name}={value}"));
        let name = match self {
            PlayerSpec::Best { ties } => {
                if *ties != TieBreak::default() {
                    say("ties", ties);
                }
                "best"
            }
            PlayerSpec::Random => "random",
            PlayerSpec::Reference {
                competence,
                kappa,
                horizon,
                risks_value,
            } => {
                say("c", competence);
                if *kappa != Kappa::ONE {
                    say("kappa", kappa);
                }
                if let Some(horizon) = horizon {
                    say("horizon", horizon);
                }
                if *risks_value {
                    say("value", &"risk");
                }
                "rep"
            }
            PlayerSpec::Predator {
                plies,
                kappa,
                grid,
                known,
            } => {
                if *plies != PredatorDepth::TWO {
                    say("plies", &plies.get());
                }
                if let Some(competence) = known {
                    say("c", competence);
                }
                if *kappa != Kappa::ONE {
                    say("kappa", kappa);
                }
                if *grid != PlayerSpec::default_grid() {
                    say("grid", grid);
                }
                "predator"
            }
            PlayerSpec::Emulator { competence, kappa } => {
                say("c", competence);
                if *kappa != Kappa::ONE {
                    say("kappa", kappa);
                }
                "emulator"
            }
            PlayerSpec::Hunter(hunter) => {
                let of_default = Hunter::default();
                if let Some(competence) = hunter.known {
                    say("c", &competence);
                }
                if hunter.objective != of_default.objective {
                    say("objective", &hunter.objective.name());
                }
                if hunter.kappa != Kappa::ONE {
                    say("kappa", &hunter.kappa);
                }
                if hunter.risks_value {
                    say("value", &"risk");
                }
                if hunter.risks_own {
                    say("own", &"risk");
                }
                if hunter.moves != of_default.moves {
                    say("moves", &hunter.moves);
                }
                if hunter.grid != of_default.grid {
                    say("grid", &hunter.grid);
                }
                "hunter"
            }
        };
        f.write_str(name)?;
        if !options.is_empty() {
            write!(f, ":{}", options.join(","))?;
        }
        Ok(())
    }
}
