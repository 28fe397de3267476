//! Which witnesses must have signed a checkpoint (C2SP tlog-policy).

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::Serialize;

use crate::{
    key,
    witness::{WitnessError, WitnessVerifier},
};

/// The logs and witnesses that somebody trusts, and which of the witnesses must have signed. The default asks for none.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// The verifier keys of logs.
    pub logs: Vec<String>,
    /// The witnesses.
    pub witnesses: Vec<PolicyWitness>,
    /// The groups, each after its members: the name, how many members must have signed, and the members.
    groups: Vec<(String, usize, Vec<String>)>,
    /// The witness or group that must have signed.
    quorum: Option<String>,
}

/// A witness of a policy.
#[derive(Clone, Debug)]
pub struct PolicyWitness {
    /// The name that the policy gives it.
    pub name: String,
    /// Its public key.
    pub key: WitnessVerifier,
    /// The address that takes and has checkpoints (C2SP tlog-witness).
    pub url: Option<String>,
}

/// A witness that has signed a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Witnessed {
    /// The name in the key of the witness.
    pub witness: String,
    /// The time of the signature, by the clock of the witness.
    pub at: Timestamp,
}

/// A policy cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct PolicyError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The fault of the line.
    pub reason: String,
}

impl Policy {
    /// Reads a policy.
    ///
    /// # Errors
    ///
    /// At the first line that is not as C2SP tlog-policy has it, or if there is no quorum line.
    pub fn parse(text: &[u8]) -> Result<Self, PolicyError> {
        let (text, mut reader) = (String::from_utf8_lossy(text), Reader::default());
        let mut line = 0;
        for text in text.split_terminator('\n') {
            line += 1;
            reader.line(text).map_err(|reason| PolicyError { line, reason })?;
        }
        let reason = "no line names the quorum; add quorum NAME, or quorum none".to_owned();
        let policy = Some(reader.policy).filter(|policy| policy.quorum.is_some());
        policy.ok_or(PolicyError { line: line.max(1), reason })
    }

    /// The witnesses that have signed a note, and whether they are the quorum.
    ///
    /// # Errors
    ///
    /// If it is not a signed note, or the signature of a witness is wrong.
    pub fn check(&self, note: &[u8]) -> Result<(Vec<Witnessed>, bool), WitnessError> {
        let (mut signed, mut met) = (Vec::new(), BTreeSet::from(["none"]));
        for PolicyWitness { name, key, .. } in &self.witnesses {
            if let Some((at, _)) = key.cosignature(note)? {
                signed.push(Witnessed { witness: key.name().to_owned(), at });
                met.insert(name.as_str());
            }
        }
        for (name, needed, members) in &self.groups {
            if members.iter().filter(|member| met.contains(member.as_str())).count() >= *needed {
                met.insert(name);
            }
        }
        Ok((signed, self.quorum.as_ref().is_none_or(|name| met.contains(name.as_str()))))
    }
}

/// A policy of which some lines were read.
#[derive(Default)]
struct Reader {
    policy: Policy,
    /// The names of witnesses and groups, and whether a group has them as a member.
    names: BTreeMap<String, bool>,
    /// The keys without their names.
    keys: BTreeSet<String>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some(found) = line.chars().find(|c| c.is_ascii_control() && *c != '\t') {
            return Err(format!("it has the character {found:?}, which a policy cannot have"));
        }
        let words: Vec<&str> = line.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
        match *words {
            [] => {}
            [word, ..] if word.starts_with('#') => {}
            ["log", key] | ["log", key, _] => {
                key::verifier(key).map_err(|error| error.to_string())?;
                self.add_key(key)?;
                self.policy.logs.push(key.to_owned());
            }
            ["witness", name, text, ref url @ ..] if url.len() < 2 => {
                let key = WitnessVerifier::new(text).map_err(|error| error.to_string())?;
                self.add_key(text)?;
                self.add_name(name)?;
                let url = url.first().map(|url| (*url).to_owned());
                let is_web =
                    |url: &String| ["http://", "https://"].iter().any(|it| url.starts_with(it));
                if !url.as_ref().is_none_or(is_web) {
                    return Err(format!(
                        "the address of the witness {name} must begin with https:// or http://"
                    ));
                }
                self.policy.witnesses.push(PolicyWitness { name: name.to_owned(), key, url });
            }
            ["group", name, needed, ref members @ ..] if !members.is_empty() => {
                let needed = needed_of(needed, members.len()).ok_or_else(|| {
                    let count = members.len();
                    format!("the group {name} must need any, all, or 1 to {count} of its members")
                })?;
                members.iter().try_for_each(|member| self.add_member(member))?;
                self.add_name(name)?;
                let members = members.iter().map(|&member| member.to_owned()).collect();
                self.policy.groups.push((name.to_owned(), needed, members));
            }
            ["quorum", name] if self.policy.quorum.is_none() => {
                if name != "none" && !self.names.contains_key(name) {
                    return Err(undefined(name));
                }
                self.policy.quorum = Some(name.to_owned());
            }
            _ => {
                return Err("it must be log KEY [URL], witness NAME KEY [URL], group NAME any|all|NUMBER NAME…, or, once, quorum NAME".to_owned());
            }
        }
        Ok(())
    }

    fn add_key(&mut self, key: &str) -> Result<(), String> {
        let is_new = self.keys.insert(key.splitn(3, '+').skip(2).collect());
        is_new.then_some(()).ok_or_else(|| "the key is that of an earlier line".to_owned())
    }

    fn add_name(&mut self, name: &str) -> Result<(), String> {
        let is_new = name != "none" && self.names.insert(name.to_owned(), false).is_none();
        is_new.then_some(()).ok_or_else(|| format!("the name {name} has a meaning already"))
    }

    fn add_member(&mut self, name: &str) -> Result<(), String> {
        let is_member = self.names.get_mut(name).ok_or_else(|| undefined(name))?;
        let was_member = std::mem::replace(is_member, true);
        (!was_member).then_some(()).ok_or_else(|| format!("{name} is in a group already"))
    }
}

fn undefined(name: &str) -> String {
    format!("no earlier line defines a witness or group {name}")
}

/// How many of the members a group needs.
fn needed_of(word: &str, count: usize) -> Option<usize> {
    match word {
        "any" => Some(1),
        "all" => Some(count),
        digits if digits.starts_with('+') => None,
        digits => digits.parse().ok().filter(|needed| (1..=count).contains(needed)),
    }
}
