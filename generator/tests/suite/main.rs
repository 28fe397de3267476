//! Candor from the outside: the `candor` command on little sites in temporary folders.
//!
//! README.md describes the language the tests are written in.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod agents;
mod annotate;
mod build;
mod content_schema;
mod crashes;
mod dates;
mod determinism;
mod documents;
mod dry_run;
mod embeds;
mod evidence;
mod exits;
mod explain;
mod extremes;
mod fakes;
mod feeds;
mod frequent;
mod fuzz;
#[cfg(candor_steps)]
mod growth;
mod help;
mod home;
mod host_files;
mod host_output;
mod hostile;
mod hostile_folders;
mod imports;
mod incremental;
mod init;
mod init_from;
mod insights;
#[cfg(unix)]
mod interrupts;
mod journals;
mod judged;
mod languages;
mod links;
mod log;
mod looks;
mod manifest;
mod messages;
mod mistakes;
mod mistakes_of_users;
mod moderation;
mod natives;
mod openapi;
mod output;
mod own_pages;
mod partial;
mod parts;
mod photos;
mod pictures;
mod platforms;
mod policy;
mod previous;
mod project;
mod properties;
mod purchases;
mod query;
mod releases;
mod remembered_host;
mod remembered_releases;
mod review;
mod schemas;
mod shared;
mod site;
mod site_settings;
mod skeleton;
mod statements;
mod static_files;
#[path = "../../../tests/steps/steps.rs"]
mod steps;
mod suggest;
mod templates;
mod tool;
mod two_languages;
mod verbs;
mod verification;
mod verify;
mod visitors;
mod workspace;
