//! The schemas of requests and answers, which faces publish.

use errare_service::{calibrate, doctor, evaluate, export, fit, rate, screen};
use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(components(schemas(
    evaluate::Request,
    evaluate::Answer,
    evaluate::ImportRequest,
    evaluate::ImportAnswer,
    doctor::Answer,
)))]
struct Studies;

#[derive(OpenApi)]
#[openapi(components(schemas(export::Request, export::Answer)))]
struct Exports;

#[derive(OpenApi)]
#[openapi(components(schemas(fit::Request, fit::Answer)))]
struct Fits;

#[derive(OpenApi)]
#[openapi(components(schemas(calibrate::Request, calibrate::Answer)))]
struct Calibrations;

#[derive(OpenApi)]
#[openapi(components(schemas(rate::Request, rate::Answer, rate::Everyone)))]
struct Ratings;

#[derive(OpenApi)]
#[openapi(components(schemas(screen::Request, screen::Answer)))]
struct Screenings;

#[test]
fn schemas() {
    for (name, api) in [
        ("studies", Studies::openapi()),
        ("exports", Exports::openapi()),
        ("fits", Fits::openapi()),
        ("calibrations", Calibrations::openapi()),
        ("ratings", Ratings::openapi()),
        ("screenings", Screenings::openapi()),
    ] {
        let schemas = api.components.expect("schemas").schemas;
        let text = serde_json::to_string_pretty(&schemas).unwrap();
        insta::assert_snapshot!(name, text);
    }
}
