//! The insights from the outside: names.

mod clauses;
mod names;
