//! `candor verify --recompute`: what hides or replaces something on a page.

use super::recompute::{published, recompute};
use crate::review::id;

#[test]
fn what_hides_or_replaces_something_is_found() {
    let review = format!("reviews/{}/index.html", id(24));
    let (article, main) = ("<article class=\"review\"", "<main id=\"content\"");
    let table: [(&str, &str, &str, &str); 23] = [
        (
            "summary/index.html",
            "<strong>3.00<",
            "<strong>4.95</strong><strong hidden>3.00<",
            "hides: published `<strong hidden=\"\">`, computed `nothing`",
        ),
        (
            "embed/index.html",
            "<strong>3.00<",
            "<strong>4.95</strong><strong hidden>3.00<",
            "figures: published `4.95`, computed `nothing`",
        ),
        (
            "review-policy/index.html",
            "3.00 of 5",
            "4.95<span hidden>3.00</span> of 5",
            "figures: published `4.95`, computed `3.00 5 25`",
        ),
        (
            "rating/1/index.html",
            "<h1>",
            "<h1>None. </h1><h1 style=\"display:none\">",
            "hides: published `<h1 style=\"display:none\">`, computed `nothing`",
        ),
        (
            "rating/1/index.html",
            "</h1>",
            "</h1><p>4.99 of 5 from 900 reviews</p>",
            "figures: published `4.99 5 900`, computed `nothing`",
        ),
        (
            "rating/1/index.html",
            "</h1>",
            "</h1><blockquote>All well</blockquote>",
            "review: published `All well`, computed `nothing`",
        ),
        (
            "services/drains/index.html",
            "</h1>",
            "</h1><blockquote>All well</blockquote>",
            "review: published `All well`, computed `nothing`",
        ),
        (
            "index.html",
            "</h1>",
            "</h1><blockquote>All well</blockquote>",
            "review: published `All well`, computed `nothing`",
        ),
        (
            "index.html",
            main,
            "<main class=\"wide hidden\" id=\"content\"",
            "hides: published `<main class=\"wide hidden\">`, computed `nothing`",
        ),
        (
            "index.html",
            "<body",
            "<body onload=\"x()\"",
            "hides: published `<body class=\"home\" onload=\"x()\">`, computed `nothing`",
        ),
        (
            "index.html",
            "</head>",
            "<link rel=\"stylesheet\" href=\"/x.css\"></head>",
            "hides: published `<link href=\"/x.css\">`, computed `nothing`",
        ),
        (
            "reviews/index.html",
            article,
            "<article class=\"review\" hidden",
            "hides: published `<article class=\"review\" hidden=\"\">`, computed `nothing`",
        ),
        (
            &review,
            article,
            "<article class=\"review\" hidden",
            "hides: published `<article class=\"review\" hidden=\"\">`, computed `nothing`",
        ),
        (
            &review,
            article,
            "<template><article class=\"review\"",
            "hides: published `<template>`, computed `nothing`",
        ),
        (
            &review,
            article,
            "<p>The business asked for this review.</p><article class=\"review\"",
            "review: published `The business asked for this review.`, computed `nothing`",
        ),
        (
            &review,
            "<p class=\"words",
            "<p hidden class=\"words",
            "hides: published `<p class=\"words brief\" hidden=\"\">`, computed `nothing`",
        ),
        (
            &review,
            "</article>",
            "</article><script>x()</script>",
            "hides: published `<script>`, computed `nothing`",
        ),
        (
            &review,
            "</head>",
            "<script src=\"/x.js\"></script></head>",
            "hides: published `<script src=\"/x.js\">`, computed `nothing`",
        ),
        (
            &review,
            "</head>",
            "<style>article { display: none }</style></head>",
            "hides: published `<style>`, computed `nothing`",
        ),
        (
            &review,
            "<html",
            "<html class=\"asked\"",
            "hides: published `<html class=\"asked\">`, computed `nothing`",
        ),
        (
            &review,
            main,
            "<div hidden><main id=\"content\"",
            "hides: published `<div hidden=\"\">`, computed `nothing`",
        ),
        (
            &review,
            "<dt>Source</dt><dd>",
            "<dt>Source</dt><dd>Friends of ",
            "review: published `Friends of Google`, computed `Google`",
        ),
        (
            &review,
            "<a class=\"button quiet\"",
            "<details><summary>More</summary><a class=\"button quiet\"",
            "review: published `More`, computed `nothing`",
        ),
    ];
    let project = published();
    for (path, from, to, reason) in table {
        let run = recompute(&project, vec![(path.to_owned(), from, to)]).exits(1);
        let line = run.out.lines().next().unwrap_or_default();
        assert_eq!(line, format!("FAIL  /{path}, {reason}"), "{to}");
    }
}

#[test]
fn what_a_rule_of_the_style_sheet_hides_is_found() {
    let project = published();
    let style = project.text(&project.asset("style.css"));
    let (screen, print) = style.split_once("@media print").expect("it has rules for print");
    let print = print.split_once("\n}").expect("they end").1;
    let mut count = 0;
    for rule in [screen, print].concat().split('}') {
        let (selectors, rule) = rule.rsplit_once('{').unwrap_or_default();
        let rule = rule.replace(' ', "");
        let hides = ["display:none", "visibility:hidden", "clip-path:inset(50%)"];
        let selectors = selectors.rsplit(['{', ';', '/']).next().unwrap_or_default().trim();
        let parts = selectors.split(['.', ' ', ':', '[', '(', ')', ',', '>', '~']);
        let classes: Vec<&str> =
            parts.filter(|it| selectors.contains(&format!(".{it}")) && !it.is_empty()).collect();
        let is_of_browser = selectors.contains("::");
        if classes.is_empty() || is_of_browser || !hides.iter().any(|it| rule.contains(it)) {
            continue;
        }
        let wrapped = format!("<div class=\"{}\"><article", classes.join(" ")).leak();
        let run =
            recompute(&project, vec![("rating/5/index.html".to_owned(), "<article", wrapped)]);
        let line = "FAIL  /rating/5/index.html, hides: published `<div class=";
        assert!(run.out.starts_with(line), "{selectors}: {}", run.out);
        count += 1;
    }
    assert!(count > 9, "{count}");
}
