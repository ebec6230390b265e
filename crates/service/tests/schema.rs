//! The schemas of requests and answers, which other programs rely on.

use errare_service::{line, probe, tables};
use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(components(schemas(
    probe::Request,
    probe::Answer,
    line::Request,
    line::Answer,
    tables::build::Request,
    tables::build::Answer,
    tables::dump::Request,
    tables::list::File,
    tables::remove::Request,
    tables::stats::Request,
    tables::stats::Answer,
    tables::verify::Request,
    tables::verify::Answer,
)))]
struct Schemas;

#[test]
fn schemas_change_only_on_purpose() {
    let schemas = Schemas::openapi().components.unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&schemas).unwrap());
}
