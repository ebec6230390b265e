//! The Predictor against published numbers, theorems, and slow twins.

mod difficulty;
mod exact;
mod hunter;
mod markov;
mod tables;
