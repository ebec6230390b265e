//! The help of `errare`: verbs in groups, and three things to try for newcomers.

use std::io::Write;

use clap::Command;
use errare_report::text::Folding;

/// Three things to try.
pub(crate) const WELCOME: &str = include_str!("../welcome.txt");

/// The groups of verbs, `## Several machines: worker jobs`; then explanations and examples, one section per verb, or for
/// several as in `# match, jobs submit match`.
const MANUAL: &str = include_str!("../manual.txt");

/// The command line with its verbs in groups.
pub(crate) fn grouped(command: Command) -> Command {
    let mut folded = Vec::new();
    let mut text = Folding::new(&mut folded);
    let groups = MANUAL.lines().filter_map(|line| line.strip_prefix("## "));
    for (title, verbs) in groups.filter_map(|group| group.split_once(": ")) {
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

/// Adds the manual's text to the verbs below a command, except verbs with their own explanation.
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
