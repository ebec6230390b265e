//! Numbers on the command line may be negative, wherever they stand.

use std::any::TypeId;

use clap::{Arg, Command};
use errare_core::Competence;

/// Lets every option and argument whose value is a number take a negative one, such as `--skill -inf`: clap
/// would take it for an option.
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
