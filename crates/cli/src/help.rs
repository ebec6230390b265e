//! What `errare` says of itself: verbs in groups, and three things to try for who comes for the first time.

use std::fmt::Write;

use clap::Command;

/// The groups of verbs, as the README has them.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Play and practise", &["serve", "practice", "uci", "match"]),
    ("Endgame tables", &["probe", "line", "tables"]),
    (
        "Endgames as people play them",
        &["analyse", "advise", "predict", "difficulty", "markov"],
    ),
    (
        "Whole games, with an engine",
        &[
            "evaluate",
            "rate",
            "screen",
            "fit",
            "calibrate",
            "calibration",
            "export",
        ],
    ),
    ("Several machines", &["worker", "jobs"]),
    ("Research", &["reproduce", "minimax"]),
    (
        "The program itself",
        &["doctor", "completions", "man", "help"],
    ),
];

/// Three things to try.
pub(crate) const WELCOME: &str = "\
Errare measures, predicts, imitates and exploits fallible play in chess. Three things to try:

  errare serve --open
      opens the workbench in your browser: practise endgames against an opponent who fights back
  errare probe \"8/8/8/8/4k3/8/1Q6/K2r4 w - - 0 1\"
      who wins this position, in how many moves, and what is every move worth
  errare analyse GAMES.pgn
      how well were the endgames of these games played, and which to train

`errare --help` lists everything; `errare doctor` says whether an engine and tables are in place.
";

/// The command line with its verbs in groups.
pub(crate) fn grouped(command: Command) -> Command {
    let mut text = String::new();
    for (title, verbs) in GROUPS {
        let _ = writeln!(text, "{title}:");
        for verb in verbs {
            let about = match command.find_subcommand(verb) {
                Some(command) => command.get_about().map(ToString::to_string),
                None => Some("Explains a verb: errare help match".to_owned()),
            };
            let _ = writeln!(text, "  {verb:<13}{}", about.unwrap_or_default());
        }
        text.push('\n');
    }
    command.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{text}Options:\n{{options}}"
    ))
}

#[cfg(test)]
mod tests {
    use super::GROUPS;

    #[test]
    fn every_verb_is_in_one_group() {
        let command = crate::command();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|group| group.1).copied().collect();
        let mut verbs: Vec<&str> = command
            .get_subcommands()
            .map(|verb| verb.get_name())
            .collect();
        verbs.push("help");
        grouped.sort_unstable();
        verbs.sort_unstable();
        assert_eq!(grouped, verbs);
    }
}
