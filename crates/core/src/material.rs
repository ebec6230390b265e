//! Endgames, named by their men: `KQKR`.

use std::{cmp::Reverse, collections::BTreeSet, fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use shakmaty::{Board, Color, Role};

use crate::Colour;

/// The men of one side besides its king.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Army {
    /// How many men of each role in [`Army::ROLES`].
    counts: [u8; 5],
}

impl Army {
    /// The roles an army is made of, strongest first.
    pub const ROLES: [Role; 5] = [
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];

    /// The army of these men; kings are not counted.
    pub fn new(men: impl IntoIterator<Item = Role>) -> Army {
        let mut army = Army::default();
        for role in men {
            if let Some(slot) = Army::slot(role) {
                army.counts[slot] += 1;
            }
        }
        army
    }

    fn slot(role: Role) -> Option<usize> {
        Army::ROLES.iter().position(|&r| r == role)
    }

    /// How many men of this role there are.
    pub fn count(&self, role: Role) -> usize {
        Army::slot(role).map_or(0, |slot| usize::from(self.counts[slot]))
    }

    /// The number of men.
    pub fn len(&self) -> usize {
        self.counts.iter().map(|&n| usize::from(n)).sum()
    }

    /// Is the king alone?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The men, strongest first.
    pub fn men(self) -> impl Iterator<Item = Role> {
        Army::ROLES
            .into_iter()
            .flat_map(move |role| std::iter::repeat_n(role, self.count(role)))
    }

    /// The army with one man less, or with a pawn replaced.
    fn without(mut self, role: Role) -> Army {
        if let Some(slot) = Army::slot(role) {
            self.counts[slot] -= 1;
        }
        self
    }

    fn with(mut self, role: Role) -> Army {
        if let Some(slot) = Army::slot(role) {
            self.counts[slot] += 1;
        }
        self
    }

    /// The armies that result from one promotion.
    fn promoted(self) -> impl Iterator<Item = Army> {
        let has_pawn = self.count(Role::Pawn) > 0;
        Army::ROLES[..4]
            .iter()
            .filter(move |_| has_pawn)
            .map(move |&role| self.without(Role::Pawn).with(role))
    }

    /// The armies that result from losing one man.
    fn reduced(self) -> impl Iterator<Item = Army> {
        Army::ROLES
            .into_iter()
            .filter(move |&role| self.count(role) > 0)
            .map(move |role| self.without(role))
    }

    /// Sort key: the side with more men, then stronger men, is named first.
    fn precedence(self) -> (usize, [u8; 5]) {
        (self.len(), self.counts)
    }
}

/// An endgame: the men of both sides. `KQKR` and `KRKQ` are the same endgame; the side with more,
/// or else stronger, men is named first and called White.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Material {
    white: Army,
    black: Army,
}

impl Material {
    /// The endgame of two armies, given in either order.
    pub fn new(one: Army, other: Army) -> Material {
        let (white, black) = if one.precedence() >= other.precedence() {
            (one, other)
        } else {
            (other, one)
        };
        Material { white, black }
    }

    /// The endgame on a board, and whether the board's Black is the endgame's White.
    ///
    /// ```
    /// use errare_core::{Material, parse_position, shakmaty::Position};
    ///
    /// let position = parse_position("8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1")?;
    /// let (endgame, turned) = Material::of(position.board());
    /// assert_eq!((endgame.to_string().as_str(), turned), ("KQKR", false));
    /// # Ok::<(), errare_core::ParsePositionError>(())
    /// ```
    pub fn of(board: &Board) -> (Material, bool) {
        let army = |color| {
            let men = board.material_side(color);
            Army {
                counts: [men.queen, men.rook, men.bishop, men.knight, men.pawn],
            }
        };
        let (white, black) = (army(Color::White), army(Color::Black));
        let material = Material::new(white, black);
        (material, material.white != white)
    }

    /// The men of one side.
    pub fn army(&self, color: Color) -> Army {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// The number of men, kings included.
    pub fn men(&self) -> usize {
        2 + self.white.len() + self.black.len()
    }

    /// Is there a pawn?
    pub fn has_pawns(&self) -> bool {
        self.white.count(Role::Pawn) + self.black.count(Role::Pawn) > 0
    }

    /// Do both sides have the same men?
    pub fn is_symmetric(&self) -> bool {
        self.white == self.black
    }

    /// Every endgame with exactly this many men, strongest first.
    pub fn all(men: usize) -> Vec<Material> {
        let mut armies = vec![vec![Army::default()]];
        for len in 1..men.saturating_sub(1) {
            let larger: BTreeSet<_> = armies[len - 1]
                .iter()
                .flat_map(|army| Army::ROLES.map(|role| army.with(role)))
                .map(Reverse)
                .collect();
            armies.push(larger.into_iter().map(|Reverse(army)| army).collect());
        }
        let mut endgames = Vec::new();
        for black_len in 0..=men.saturating_sub(2) / 2 {
            let white_len = men.checked_sub(2 + black_len);
            for &white in white_len
                .and_then(|len| armies.get(len))
                .into_iter()
                .flatten()
            {
                for &black in &armies[black_len] {
                    if white.precedence() >= black.precedence() {
                        endgames.push(Material { white, black });
                    }
                }
            }
        }
        endgames
    }

    /// The endgames reached by one capture or promotion, except bare kings.
    pub fn subgames(&self) -> Vec<Material> {
        let mut subgames = Vec::new();
        for (mover, other) in [(self.white, self.black), (self.black, self.white)] {
            let promoted: Vec<_> = mover.promoted().collect();
            subgames.extend(promoted.iter().map(|&army| Material::new(army, other)));
            for reduced in other.reduced() {
                let movers = promoted.iter().copied().chain([mover]);
                subgames.extend(movers.map(|army| Material::new(army, reduced)));
            }
        }
        subgames.retain(|material| material.men() > 2);
        subgames.sort_by_key(|material| material.to_string());
        subgames.dedup();
        subgames
    }

    /// These endgames and everything they lead to, each listed after all its subgames.
    ///
    /// ```
    /// use errare_core::Material;
    ///
    /// let order = Material::closure(["KRKP".parse()?]);
    /// let names: Vec<_> = order.iter().map(|endgame| endgame.to_string()).collect();
    /// assert_eq!(names.last().unwrap(), "KRKP");
    /// assert!(names.contains(&"KQKR".to_owned()), "the pawn may promote");
    /// # Ok::<(), errare_core::ParseMaterialError>(())
    /// ```
    pub fn closure(endgames: impl IntoIterator<Item = Material>) -> Vec<Material> {
        fn visit(endgame: Material, order: &mut Vec<Material>) {
            if !order.contains(&endgame) {
                for subgame in endgame.subgames() {
                    visit(subgame, order);
                }
                order.push(endgame);
            }
        }
        let mut order = Vec::new();
        for endgame in endgames {
            visit(endgame, &mut order);
        }
        order
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::new();
        for army in [self.white, self.black] {
            name.push('K');
            name.extend(army.men().map(Role::upper_char));
        }
        f.pad(&name)
    }
}

impl Serialize for Material {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Material {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Material, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(de::Error::custom)
    }
}

/// Serialised as its name.
#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Material {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        String::schema()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Material {}

/// Returned when a name does not name an endgame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseMaterialError {
    /// A letter that is not a chess piece.
    #[error("{name:?} is not an endgame: {letter:?} is not a piece; write it like KQKR or KQvKR")]
    Letter {
        /// The name as given.
        name: String,
        /// The offending letter.
        letter: char,
    },
    /// Not exactly one king per side.
    #[error("{0:?} is not an endgame: each side has one king, named first, as in KQKR or KQvKR")]
    Kings(String),
    /// More men than a side can have.
    #[error("{0:?} is impossible: a side has at most sixteen men, eight of them pawns")]
    Impossible(String),
}

impl FromStr for Material {
    type Err = ParseMaterialError;

    fn from_str(name: &str) -> Result<Material, ParseMaterialError> {
        let [one, other] = armies(name)?;
        Ok(Material::new(one, other))
    }
}

/// The armies of an endgame in the order in which a name has them.
fn armies(name: &str) -> Result<[Army; 2], ParseMaterialError> {
    let kings = || ParseMaterialError::Kings(name.to_owned());
    let letters = name.to_ascii_uppercase();
    let (one, other) = match letters.split_once('V') {
        Some((one, other)) => (one, other),
        None => {
            let second = letters.rfind('K').ok_or_else(kings)?;
            letters.split_at(second)
        }
    };
    let army = |men: &str| {
        let men = men.strip_prefix('K').ok_or_else(kings)?;
        let roles: Vec<_> = men
            .chars()
            .map(|letter| match Role::from_char(letter) {
                Some(Role::King) => Err(kings()),
                Some(role) => Ok(role),
                None => Err(ParseMaterialError::Letter {
                    name: name.to_owned(),
                    letter,
                }),
            })
            .collect::<Result<_, _>>()?;
        let impossible = || ParseMaterialError::Impossible(name.to_owned());
        let pawns = roles.iter().filter(|&&role| role == Role::Pawn).count();
        if roles.len() > 15 || pawns > 8 {
            return Err(impossible());
        }
        Ok(Army::new(roles))
    };
    Ok([army(one)?, army(other)?])
}

/// An endgame as somebody wrote it: `KRvKQ` is the endgame `KQKR` with the sides exchanged.
///
/// ```
/// use errare_core::{Colour, WrittenEndgame};
///
/// let endgame: WrittenEndgame = "KRvKQ".parse()?;
/// assert_eq!(endgame.to_string(), "KRvKQ");
/// assert_eq!(endgame.material().to_string(), "KQKR");
/// assert_eq!(endgame.side(Colour::White), Colour::Black);
/// # Ok::<(), errare_core::ParseMaterialError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenEndgame {
    name: String,
    material: Material,
    is_turned: bool,
}

impl WrittenEndgame {
    /// The endgame.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The side of the endgame that is this side of the name.
    pub fn side(&self, named: Colour) -> Colour {
        match (named, self.is_turned) {
            (Colour::White, true) => Colour::Black,
            (Colour::Black, true) => Colour::White,
            (side, false) => side,
        }
    }
}

impl FromStr for WrittenEndgame {
    type Err = ParseMaterialError;

    fn from_str(name: &str) -> Result<WrittenEndgame, ParseMaterialError> {
        let [first, second] = armies(name)?;
        let material = Material::new(first, second);
        Ok(WrittenEndgame {
            name: name.to_owned(),
            material,
            is_turned: material.white != first,
        })
    }
}

impl fmt::Display for WrittenEndgame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endgame(name: &str) -> Material {
        name.parse().unwrap()
    }

    #[test]
    fn one_endgame_has_many_names() {
        for name in ["KQKR", "KQvKR", "KRKQ", "krvkq"] {
            assert_eq!(endgame(name).to_string(), "KQKR", "{name}");
        }
        assert_eq!(endgame("KQKBN").to_string(), "KBNKQ");
        assert_eq!(endgame("KNPKB").to_string(), "KNPKB");
    }

    #[test]
    fn the_sides_are_those_that_were_written() {
        let side = |name: &str| {
            let written: WrittenEndgame = name.parse().unwrap();
            written.side(Colour::White)
        };
        for name in ["KQKR", "kqvkr", "KQK", "KQKQ", "KRRKQ", "KBBKN"] {
            assert_eq!(side(name), Colour::White, "{name}");
        }
        for name in ["KRKQ", "KRvKQ", "KKQ", "KQKRR", "knkbb"] {
            assert_eq!(side(name), Colour::Black, "{name}");
        }
    }

    #[test]
    fn wrong_names_are_refused() {
        for name in [
            "", "Q", "KQ", "QKR", "KQXKR", "KKK", "KQKRK", "KQvRK", "K♕K",
        ] {
            assert!(name.parse::<Material>().is_err(), "{name}");
        }
        let many = "KPPPPPPPPPK".parse::<Material>();
        assert!(matches!(many, Err(ParseMaterialError::Impossible(_))));
    }

    #[test]
    fn there_are_145_endgames_of_three_to_five_men() {
        let counts = [3, 4, 5].map(|men| Material::all(men).len());
        assert_eq!(counts, [5, 30, 110]);
    }

    #[test]
    fn subgames_include_capturing_promotions() {
        let names: Vec<_> = endgame("KPKR")
            .subgames()
            .iter()
            .map(Material::to_string)
            .collect();
        assert_eq!(
            names,
            [
                "KBK", "KBKR", "KNK", "KNKR", "KPK", "KQK", "KQKR", "KRK", "KRKR"
            ]
            .map(|name| endgame(name).to_string())
            .into_iter()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect::<Vec<_>>()
        );
    }
}
