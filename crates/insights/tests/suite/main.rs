//! The insights from the outside: names, German.

mod clauses;
mod german;
mod names;
