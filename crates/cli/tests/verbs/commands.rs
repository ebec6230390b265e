//! The command line as a whole, and what the manual says of it.

use clap::Command;
use errare::command;

/// Explanations and examples.
const MANUAL: &str = include_str!("../../manual.txt");

#[test]
fn it_is_consistent() {
    command().debug_assert();
}

/// Clap would call an option required in usage lines whose variable is set; `options::environment` reads
/// variables.
#[test]
fn clap_reads_no_environment() {
    for (name, verb) in verbs(command()) {
        let environment = |argument: &clap::Arg| argument.get_env().is_some();
        assert!(!verb.get_arguments().any(environment), "{name}");
    }
}

/// The table of verbs has a row for each; this list tells it of new ones.
#[test]
fn the_list_of_verbs_is_complete() {
    let mut listed = String::new();
    for (name, verb) in verbs(command()) {
        let answers = verb.get_arguments().any(|it| it.get_id() == "json");
        listed += &format!("{name}{}\n", if answers { " json" } else { "" });
    }
    assert_eq!(listed, crate::ALL);
}

/// Every verb that has none below it, by its full name.
fn verbs(mut command: Command) -> Vec<(String, Command)> {
    command.build();
    let mut verbs = Vec::new();
    for verb in command.get_subcommands() {
        let name = verb.get_name();
        match verb.has_subcommands() {
            _ if name == "help" => {}
            false => verbs.push((name.to_owned(), verb.clone())),
            true => verbs.extend(
                self::verbs(verb.clone())
                    .into_iter()
                    .map(|(below, verb)| (format!("{name} {below}"), verb)),
            ),
        }
    }
    verbs
}

#[test]
fn every_verb_is_in_one_group() {
    let help = command().render_help().to_string();
    let (groups, _) = help.split_once("Options:").expect("groups come first");
    let grouped = groups.lines().filter_map(|line| line.strip_prefix("  "));
    let grouped = grouped.filter_map(|line| line.split(' ').next());
    // A line that goes on is indented further.
    let mut grouped: Vec<&str> = grouped.filter(|verb| !verb.is_empty()).collect();
    let command = command();
    let verbs = command.get_subcommands().map(Command::get_name);
    let mut verbs: Vec<&str> = verbs.chain(["help"]).collect();
    grouped.sort_unstable();
    verbs.sort_unstable();
    assert_eq!(grouped, verbs);
}

#[test]
fn the_list_of_verbs_fits_a_terminal() {
    let text = command().term_width(80).render_help().to_string();
    let wide = text.lines().find(|line| line.chars().count() > 80);
    assert_eq!(wide, None);
}

#[test]
fn the_manual_is_about_verbs() {
    let headings = MANUAL.lines().filter_map(|line| line.strip_prefix("# "));
    for verb in headings.flat_map(|heading| heading.split(", ")) {
        let below = |above: &Command, name| above.find_subcommand(name).cloned();
        let found = verb
            .split(' ')
            .try_fold(command(), |above, name| below(&above, name));
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
        let parsed = command().try_get_matches_from(words);
        assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
    }
}

#[test]
fn negative_numbers_are_values() {
    let lines = [
        "errare predict KQKR --skill -inf",
        "errare predict KQKR --skill -3.5",
        "errare markov KQKR --skill -2",
        "errare advise 8/8/8/8/8/2k5/7Q/K7_w_-_-_0_1 --skill -inf",
    ];
    for line in lines {
        let parsed = command().try_get_matches_from(line.split(' '));
        assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
    }
}
