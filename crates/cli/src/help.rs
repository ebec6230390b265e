//! What `errare` says of itself: verbs in groups, and three things to try for who comes for the first time.

use std::io::Write;

use clap::Command;
use errare_report::text::Folding;

/// The groups of verbs, as the README has them.
const GROUPS: [(&str, &str); 7] = [
    ("Play and practise", "serve practice uci match"),
    ("Endgame tables", "probe line tables"),
    (
        "Endgames as people play them",
        "analyse advise predict difficulty markov",
    ),
    (
        "Whole games, with an engine",
        "evaluate rate screen fit calibrate calibration export",
    ),
    ("Several machines", "worker jobs"),
    ("Research", "reproduce minimax"),
    ("The program itself", "doctor completions man help"),
];

/// Three things to try.
pub(crate) const WELCOME: &str = include_str!("../welcome.txt");

/// Explanations and examples: a section a verb, `# match, jobs submit match` where it is for several.
const MANUAL: &str = include_str!("../manual.txt");

/// The command line with its verbs in groups.
pub(crate) fn grouped(command: Command) -> Command {
    let mut folded = Vec::new();
    let mut text = Folding::new(&mut folded);
    for (title, verbs) in GROUPS {
        let _ = writeln!(text, "{title}:");
        for verb in verbs.split(' ') {
            let about = match command.find_subcommand(verb) {
                Some(command) => command.get_about().map(ToString::to_string),
                None => Some("Explains a verb: errare help match".to_owned()),
            };
            let _ = writeln!(text, "  {verb:<13}{}", about.unwrap_or_default());
        }
        let _ = writeln!(text);
    }
    drop(text);
    let text = String::from_utf8_lossy(&folded);
    command.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{text}Options:\n{{options}}"
    ))
}

/// The verbs below a command with what the manual says of them. A verb that explains itself is left as it is.
pub(crate) fn explained(command: Command, path: &str) -> Command {
    command.mut_subcommands(|verb| {
        let name = format!("{path}{}", verb.get_name());
        let section = section(&name).filter(|_| verb.get_long_about().is_none());
        let verb = match section {
            Some((essay, examples)) => explain(verb, essay, examples),
            None => verb,
        };
        explained(verb, &format!("{name} "))
    })
}

/// The explanation and the examples of a verb.
fn section(verb: &str) -> Option<(&'static str, &'static str)> {
    let sections = MANUAL.split("\n# ").skip(1);
    let (_, text) = sections
        .filter_map(|section| section.split_once('\n'))
        .find(|(verbs, _)| verbs.split(", ").any(|it| it == verb))?;
    Some(text.split_at(text.find("\nExample").unwrap_or(text.len())))
}

fn explain(verb: Command, essay: &str, examples: &'static str) -> Command {
    let summary = verb.get_about().map(ToString::to_string);
    let paragraphs = essay.trim().split("\n\n").filter(|text| !text.is_empty());
    let paragraphs = paragraphs.map(|lines| lines.replace('\n', " "));
    let text: Vec<String> = summary.into_iter().chain(paragraphs).collect();
    let verb = match text.len() {
        0 | 1 => verb,
        _ => verb.long_about(text.join("\n\n")),
    };
    match examples.trim() {
        "" => verb,
        examples => verb.after_help(examples),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_is_in_one_group() {
        let command = crate::command();
        let grouped = GROUPS.iter().flat_map(|group| group.1.split(' '));
        let mut grouped: Vec<&str> = grouped.collect();
        let mut verbs: Vec<&str> = command
            .get_subcommands()
            .map(|verb| verb.get_name())
            .collect();
        verbs.push("help");
        grouped.sort_unstable();
        verbs.sort_unstable();
        assert_eq!(grouped, verbs);
    }

    #[test]
    fn the_list_of_verbs_fits_a_terminal() {
        let text = crate::command().term_width(80).render_help().to_string();
        let wide = text.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None);
    }

    #[test]
    fn the_manual_is_about_verbs() {
        let headings = MANUAL.lines().filter_map(|line| line.strip_prefix("# "));
        for verb in headings.flat_map(|heading| heading.split(", ")) {
            let command = crate::command();
            let below = |above: &Command, name| above.find_subcommand(name).cloned();
            let found = verb
                .split(' ')
                .try_fold(command, |above, name| below(&above, name));
            assert!(found.is_some(), "{verb}");
        }
    }

    /// What follows two blanks is a remark; what follows `>`, `<` or `|` is the shell's.
    #[test]
    fn examples_are_understood() {
        let examples = MANUAL.lines().filter(|line| line.starts_with("  errare "));
        for example in examples.map(str::trim) {
            let typed = example.split(['<', '>', '|']).next().unwrap();
            let typed = typed.split("  ").next().unwrap();
            let words = shlex::split(typed).expect(example);
            let parsed = crate::command().try_get_matches_from(words);
            assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
        }
    }
}
