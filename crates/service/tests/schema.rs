//! The schemas of requests and answers, which other programs rely on.

use std::collections::{BTreeMap, BTreeSet};

use errare_service::{
    advise, analyse, calibrate, check, choices, compare, difficulty, doctor, evaluate, export, fit,
    fleet, line, markov, matches, minimax, practice, predict, probe, rate, reproduce, screen,
    tables,
};
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema},
};

/// Schemas by their names.
type Schemas = Vec<(String, RefOr<Schema>)>;

/// Adds the schema of a type and of its components.
fn add<T: ToSchema>(all: &mut Schemas) {
    all.push((T::name().into_owned(), T::schema()));
    T::schemas(all);
}

/// The schemas of several types.
macro_rules! all_of {
    ($($type:ty),* $(,)?) => {{
        let mut all = Schemas::new();
        $(add::<$type>(&mut all);)*
        all
    }};
}

#[test]
fn schemas_change_only_on_purpose() {
    let all = all_of![
        probe::Request,
        probe::Answer,
        line::Request,
        line::Answer,
        tables::build::Request,
        tables::build::Answer,
        tables::dump::Request,
        tables::list::TableEntry,
        tables::remove::Request,
        tables::stats::Request,
        tables::stats::Answer,
        tables::verify::Request,
        tables::verify::Answer,
        analyse::Request,
        analyse::Answer,
        analyse::rated::EloBand,
        analyse::rated::Population,
        advise::Request,
        advise::Answer,
        choices::Request,
        choices::Answer,
        matches::Request,
        matches::Answer,
        predict::Request,
        predict::Answer,
        difficulty::Request,
        difficulty::Answer,
        markov::Request,
        markov::Answer,
        evaluate::Request,
        evaluate::Answer,
        evaluate::ImportRequest,
        evaluate::ImportAnswer,
        export::Request,
        export::Answer,
        fit::Request,
        fit::Answer,
        calibrate::Request,
        calibrate::Answer,
        compare::Request,
        compare::Answer,
        compare::Shipped,
        check::Request,
        check::Answer,
        rate::Request,
        rate::Answer,
        rate::Everyone,
        screen::Request,
        screen::Answer,
        doctor::Request,
        doctor::Answer,
        fleet::status::Status,
        reproduce::Request,
        reproduce::Answer,
        reproduce::PrintedClaim,
        practice::Request,
        practice::Answer,
        practice::RushRequest,
        minimax::search::Request,
        minimax::prob::Answer,
        minimax::mobility::Answer,
        minimax::sweep::Request,
        minimax::sweep::Answer,
        minimax::play::Request,
        minimax::play::Answer,
        minimax::matches::Request,
        minimax::matches::Answer,
        minimax::rate::Answer,
        minimax::tree::Request,
        minimax::tree::Answer,
        minimax::dominate::Request,
        minimax::dominate::Answer,
        minimax::bench::Request,
        minimax::bench::Timing,
    ];
    let mut by_name = BTreeMap::new();
    let mut ambiguous = BTreeSet::new();
    for (name, schema) in &all {
        if by_name
            .insert(name, schema)
            .is_some_and(|other| other != schema)
        {
            ambiguous.insert(name);
        }
    }
    assert!(ambiguous.is_empty(), "several types each: {ambiguous:?}");
    insta::assert_snapshot!(serde_json::to_string_pretty(&by_name).unwrap());
}
