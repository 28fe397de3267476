//! The arguments of a call: read, or refused with all their faults.

use std::borrow::Cow;

use contract::query::{Given, Issue, MAX_IGNORED, MAX_PARAMETERS, Parameter, word};
use serde_json::Value;

use super::{Call, quoted};

/// The pairs that parsing reads.
type Pairs<'a> = Box<dyn Iterator<Item = (Cow<'a, str>, Given<'a>)> + 'a>;

impl Call<'_> {
    /// Reads the arguments, or reports all their faults.
    pub(super) fn read<T>(
        &self,
        parse: impl FnOnce(Pairs<'_>) -> Result<T, Vec<Issue>>,
    ) -> Result<T, String> {
        let (tool, count) = (self.tool.name, self.arguments.len());
        if count > MAX_PARAMETERS {
            return Err(format!(
                "A call of {tool} has at most {MAX_PARAMETERS} arguments, and this one has {count}."
            ));
        }
        let mut wrong = self.missing();
        let given = self.arguments.iter().map(|(name, value)| (name.into(), Given::Json(value)));
        let parsed = parse(Box::new(given));
        if let Err(issues) = &parsed {
            let line = |issue: &Issue| format!("{}; received {}", issue.message, issue.received);
            wrong.extend(issues.iter().map(line));
        }
        wrong.extend(self.unknown());
        match parsed {
            Ok(parsed) if wrong.is_empty() => Ok(parsed),
            _ => Err(format!("The arguments of {tool} cannot be used:\n- {}", wrong.join("\n- "))),
        }
    }

    /// Checks that a tool without arguments has none.
    pub(super) fn read_none(&self) -> Result<(), String> {
        self.read(|_| Ok(()))
    }

    /// Reads the one argument that is a word or a name; the empty string if it is absent.
    pub(super) fn read_word(&self, table: &'static [Parameter; 1]) -> Result<String, String> {
        self.read(|given| word(table, given)).map(Option::unwrap_or_default)
    }

    fn missing(&self) -> Vec<String> {
        let absent = |name: &str| match self.arguments.get(name) {
            None | Some(Value::Null) => true,
            Some(value) => value.as_str() == Some(""),
        };
        let required = |parameter: &&Parameter| self.tool.required.contains(&parameter.name);
        let parameters = self.tool.parameters.iter().filter(required);
        let missing = parameters.filter(|parameter| absent(parameter.name));
        missing
            .map(|parameter| {
                format!("{} is required; it {}", parameter.name, parameter.kind.rule())
            })
            .collect()
    }

    fn unknown(&self) -> Vec<String> {
        let parameters = self.tool.parameters;
        let is_known = |name: &str| parameters.iter().any(|parameter| parameter.name == name);
        let names: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
        let known = if names.is_empty() {
            "it takes none".to_owned()
        } else {
            format!("its arguments are {}", names.join(", "))
        };
        let unknown = self.arguments.keys().filter(|name| !is_known(name));
        unknown
            .take(MAX_IGNORED)
            .map(|name| {
                format!("{} is not an argument of {}; {known}", quoted(name), self.tool.name)
            })
            .collect()
    }
}
