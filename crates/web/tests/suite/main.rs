//! The API: each route without a socket, success and failure; and tests that need a socket.

mod client;
mod docs;
mod evaluation;
mod guard;
mod history;
mod hunter;
mod jobs;
mod load;
mod look_up;
mod openapi;
mod pages;
mod practice;
mod python;
mod refusals;
mod server;
