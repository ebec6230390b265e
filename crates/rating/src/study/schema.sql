CREATE TABLE games (
    id          INTEGER PRIMARY KEY,
    white       TEXT NOT NULL,
    black       TEXT NOT NULL,
    white_elo   INTEGER,
    black_elo   INTEGER,
    tags        TEXT NOT NULL, -- all tags of the game's file, a JSON object
    record      TEXT NOT NULL, -- the moves in UCI; of imported turns, what their file calls the game
    UNIQUE (white, black, record, tags)
) STRICT;

CREATE TABLE positions (
    id          INTEGER PRIMARY KEY,
    fen         TEXT NOT NULL UNIQUE, -- without the move number
    legal       INTEGER NOT NULL      -- legal moves
) STRICT;

CREATE TABLE turns (
    game        INTEGER NOT NULL REFERENCES games,
    ply         INTEGER NOT NULL, -- counted from move 1: even if White is to move
    position    INTEGER NOT NULL REFERENCES positions,
    played      TEXT NOT NULL,    -- in UCI
    clock       REAL,             -- the player's seconds after the move
    exclusion   TEXT,             -- opening, repetition, only-move
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;

CREATE INDEX turns_by_position ON turns (position);

CREATE TABLE engines (
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL,
    version     TEXT NOT NULL,
    net         TEXT NOT NULL,
    depth       INTEGER NOT NULL,
    multi_pv    TEXT NOT NULL,
    UNIQUE (name, version, net, multi_pv, depth)
) STRICT;

CREATE TABLE evaluations (
    position    INTEGER NOT NULL REFERENCES positions,
    engine      INTEGER NOT NULL REFERENCES engines,
    ranking     BLOB NOT NULL,
    PRIMARY KEY (position, engine)
) STRICT;

-- Positions that a running process has in hand.
CREATE TABLE claims (
    position    INTEGER NOT NULL REFERENCES positions,
    engine      INTEGER NOT NULL REFERENCES engines,
    owner       TEXT NOT NULL,
    PRIMARY KEY (position, engine)
) STRICT, WITHOUT ROWID;
