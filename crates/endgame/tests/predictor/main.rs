//! The Predictor against published numbers, theorems, and slow twins.

mod exact;
mod markov;
mod tables;
