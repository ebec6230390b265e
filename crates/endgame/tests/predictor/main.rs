//! The Predictor against published numbers, theorems, and slow twins.

mod markov;
mod tables;
