//! Evaluated turns for examples.

/// A turn of each side of one game, evaluated to depth 2, as lines of JSON that a study imports.
pub const TURNS: &str = r#"{"id":"1p16","white":"White","black":"Black","welo":2700,"belo":2650,"date":"2015.09.15","fen":"6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 9","played":"g1f1","engine":"Stockfish 15.1","depth":2,"moves":["g1f1","h2h4","f2f4","h2h3","g2g3","f2f3","g2g4","g1h1"],"eval":[0,0,-5,-5,-10,-10,-25,-30],"depths":{"1":[0,-5,5,-5,-10,-5,-20,-30]}}
{"id":"1p17","white":"White","black":"Black","welo":2700,"belo":2650,"date":"2015.09.15","fen":"6k1/5ppp/8/8/8/8/5PPP/5K2 b - - 1 9","played":"h7h5","engine":"Stockfish 15.1","depth":2,"moves":["g8f8","h7h5","f7f5","h7h6","g7g6","f7f6","g7g5","g8h8"],"eval":[0,-5,-5,-10,-10,-15,-25,-30],"depths":{"1":[0,-5,5,-5,-10,-5,-20,-30]}}
"#;
