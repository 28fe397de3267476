//! The conformance suite's fixtures.
