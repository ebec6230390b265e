//! The API: each route without a socket, success and failure; and what needs one.

mod client;
mod docs;
mod evaluation;
mod guard;
mod history;
mod jobs;
mod load;
mod look_up;
mod openapi;
mod pages;
mod practice;
mod python;
mod refusals;
mod server;
