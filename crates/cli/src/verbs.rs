//! A list of verbs, each a file.

/// Makes an enum of verbs, boxed as they differ in size, which clap reads, and `run`, which does what was read.
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
