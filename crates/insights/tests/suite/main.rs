//! The insights from the outside: sentences, clauses, names, German.

mod clauses;
mod german;
mod names;
mod sentences;
