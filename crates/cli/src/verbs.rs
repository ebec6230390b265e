//! Lists of verbs, one file per verb.

/// Defines the enum of verbs that clap parses, boxed because they differ in size, and `run`, which runs the one parsed.
macro_rules! verbs {
    ($verbs:ident { $($verb:ident => $file:ident,)* }) => {
        #[derive(clap::Subcommand)]
        enum $verbs {
            $($verb(Box<$file::Arguments>),)*
        }

        impl $verbs {
            fn run(&mut self) -> anyhow::Result<std::process::ExitCode> {
                match self {
                    $($verbs::$verb(arguments) => $file::run(arguments),)*
                }
            }
        }
    };
}
