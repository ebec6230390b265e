//! Allows negative numbers anywhere on the command line.

use std::any::TypeId;

use clap::{Arg, Command};
use errare_core::Competence;

/// Lets every numeric option and argument take a negative value, such as `--skill -inf`, which clap would
/// take for an option.
pub(crate) fn allow_negative(command: Command) -> Command {
    command
        .mut_args(|argument| match is_number(&argument) {
            true => argument.allow_hyphen_values(true),
            false => argument,
        })
        .mut_subcommands(allow_negative)
}

/// Whether an argument's value may begin with a minus sign.
fn is_number(argument: &Arg) -> bool {
    let value = argument.get_value_parser().type_id();
    argument.get_action().takes_values()
        && [
            TypeId::of::<f64>(),
            TypeId::of::<i64>(),
            TypeId::of::<i32>(),
            TypeId::of::<Competence>(),
            TypeId::of::<errare_service::model::Prior>(),
        ]
        .iter()
        .any(|number| value == *number)
}
