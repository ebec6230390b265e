//! The program `errare`.

fn main() -> std::process::ExitCode {
    errare::main()
}
