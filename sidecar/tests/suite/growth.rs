//! Requests that are built to take long: twice the size takes about twice the steps, which are counted
//! (`make test-growth`).

use crate::{Running, get, shop};

#[path = "../../../tests/steps/steps.rs"]
mod steps;

use steps::grows_linearly;

#[test]
fn words_of_a_search() {
    let site = shop::published();
    let running = Running::start(&site);
    grows_linearly("words", 200, |size| {
        let words: Vec<String> = (0..size).map(|n| format!("word{n}")).collect();
        get(running.address, &format!("/api/reviews/search?q={}", words.join("+")));
    });
}
