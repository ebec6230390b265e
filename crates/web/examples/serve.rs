//! Serves the workbench to this machine, without a history: `cargo run -p errare-web --example serve [DIRECTORY]`.

use std::{env, error::Error, path::Path};

use errare_core::Watch;
use errare_service::{Service, Supply};
use errare_tables::Store;
use errare_web::{Access, FirstPage, Furniture, Site};

/// Serves at a free port until the watch stops it, and says where as soon as the page can be opened.
fn serve(
    tables: &Path,
    watch: &dyn Watch,
    ready: impl FnOnce(&FirstPage),
) -> Result<(), Box<dyn Error>> {
    let tables = Supply::new(Store::open(tables, 16 << 20));
    let site = Site {
        address: ([127, 0, 0, 1], 0).into(),
        access: Access::ThisMachine,
        hosts: Vec::new(),
    };
    Ok(site.run(Service { tables }, Furniture::default(), watch, ready)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let directory = env::args_os().nth(1).unwrap_or_else(|| "tables".into());
    serve(Path::new(&directory), &(), |page| println!("{}", page.here))
}

#[test]
fn it_runs() {
    use std::{
        io::{Read, Write},
        net::TcpStream,
        sync::mpsc,
    };

    let (cancel, (say, hear)) = (errare_core::Cancel::default(), mpsc::channel());
    let ask = |page: &FirstPage, cancel: errare_core::Cancel| {
        let host = page.here.replace("http://", "").replace('/', "");
        std::thread::spawn(move || {
            let mut answer = String::new();
            let mut stream = TcpStream::connect(&host).unwrap();
            let question = "/standard?fen=8/8/8/4k3/8/8/Q7/K7_w_-_-_0_1";
            let head = format!("Host: {host}\r\nConnection: close");
            write!(stream, "GET {question} HTTP/1.1\r\n{head}\r\n\r\n").unwrap();
            stream.read_to_string(&mut answer).unwrap();
            say.send(answer).unwrap();
            cancel.cancel();
        });
    };
    let tables = errare_testing::shared_tables();
    serve(&tables, &cancel, |page| ask(page, cancel.clone())).unwrap();
    let answer = hear.recv().unwrap();
    assert!(answer.contains("\"category\":\"win\""), "{answer}");
}
