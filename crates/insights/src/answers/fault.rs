//! The faults of a template, in the words of its author.

use std::fmt;

use minijinja::{Error, ErrorKind};

/// Maximum cost of one page or text: 1 for each step of its template and for each 64 bytes of its output, so that no
/// page takes more than 64 MB or a second. The most expensive built-in page of 10,000 reviews costs 10,669.
pub const TEMPLATE_FUEL: u64 = 1_000_000;

/// Maximum bytes of a tag, or of a condition. A chain of thousands of filters or signs would fill the stack, which ends the
/// program without a message.
const LONGEST_TAG: usize = 2_000;

/// Refuses a template with a tag that is too long to be compiled.
///
/// # Errors
/// When there is one.
pub fn check_tags(template: &str) -> Result<(), Error> {
    let mut rest = template;
    let is_tag = |pair: &[u8]| matches!(pair, b"{{" | b"{%");
    while let Some(at) = rest.as_bytes().windows(2).position(is_tag) {
        rest = &rest[at + 2..];
        let (mut quote, mut is_escaped) = (None, false);
        let end = rest.bytes().zip(rest.bytes().skip(1)).position(|(byte, next)| {
            match quote {
                Some(_) if is_escaped || byte == b'\\' => is_escaped = !is_escaped,
                Some(open) if open == byte => quote = None,
                None if b"\"'".contains(&byte) => quote = Some(byte),
                _ => {}
            }
            quote.is_none() && next == b'}' && b"}%".contains(&byte)
        });
        let (tag, after) = rest.split_at(end.unwrap_or(rest.len()));
        check_condition(tag)?;
        rest = after;
    }
    Ok(())
}

/// Refuses a condition that is too long to be compiled.
pub(super) fn check_condition(condition: &str) -> Result<(), Error> {
    let message = format!("an expression has more than {LONGEST_TAG} bytes; make several of it");
    let is_short = condition.len() <= LONGEST_TAG;
    is_short.then_some(()).ok_or_else(|| Error::new(ErrorKind::SyntaxError, message))
}

/// The fault that ended the rendering of a template.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TemplateFault {
    /// The name of the template in which the fault is.
    pub template: Option<String>,
    /// The line of the fault, from 1.
    pub line: usize,
    /// The words of the template that are at fault; empty if they are not known.
    pub words: String,
    /// The path of the value that does not exist, such as `business.nmae`.
    pub undefined: Option<String>,
    /// A description of the fault.
    pub message: String,
    /// The remedy, if it follows from the kind of fault.
    pub help: Option<&'static str>,
}

impl TemplateFault {
    /// The fault of an error, which is that of the innermost template where one includes another.
    /// The environment must be in debug mode: otherwise the error knows no names.
    #[must_use]
    pub fn of(error: &Error) -> Self {
        let inner = std::error::Error::source(error).and_then(|inner| inner.downcast_ref());
        if let (ErrorKind::BadInclude | ErrorKind::EvalBlock, Some(inner)) = (error.kind(), inner) {
            return Self::of(inner);
        }
        let source = error.template_source().zip(error.range());
        let at_fault = source.and_then(|(text, range)| text.get(range)).unwrap_or_default();
        let detail = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
        let undefined = undefined(&detail).map(str::to_owned);
        let help = match (error.kind(), &*detail) {
            (ErrorKind::OutOfFuel, _) | (_, "range has too many elements") => {
                "end its loops sooner, or let it show less"
            }
            (_, "recursion limit exceeded") => "remove what includes or calls itself",
            (ErrorKind::SyntaxError, _) => "complete the expression, or write {% endif %}",
            _ => "",
        };
        Self {
            template: error.name().map(str::to_owned),
            line: error.line().unwrap_or(1),
            words: undefined.as_deref().unwrap_or(at_fault).to_owned(),
            message: match (&undefined, error.kind()) {
                (Some(path), _) => format!("`{path}` is undefined"),
                (None, ErrorKind::UndefinedError) => format!("`{at_fault}`: {detail}"),
                (None, ErrorKind::OutOfFuel) => {
                    format!("this text needs more than {TEMPLATE_FUEL} steps, the limit of a page")
                }
                _ => detail,
            },
            undefined,
            help: Some(help).filter(|help| !help.is_empty()),
        }
    }
}

impl fmt::Display for TemplateFault {
    /// Formats the fault as `home.html:1: the description`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let template = self.template.as_deref().unwrap_or("template");
        write!(f, "{template}:{}: {}", self.line, self.message)
    }
}

/// The path in "`path` is undefined".
fn undefined(detail: &str) -> Option<&str> {
    let (before, _) = detail.split_once("` is undefined")?;
    before.rsplit_once('`').map(|(_, path)| path)
}
