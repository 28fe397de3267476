//! The insights from the outside: names.

mod names;
