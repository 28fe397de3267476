//! A request to the hub: the form fields of WebSub §5.1, checked by their syntax alone.

use std::time::Duration;

use contract::percent::decode_form;

use super::{
    callback::{BadCallback, Callback},
    secrets::Secret,
    topics::{Topics, UnknownTopic},
};

/// The number of bytes that a secret must be shorter than (WebSub §5.1).
pub(crate) const SECRET_LIMIT: usize = 200;

/// The lease if none is requested.
pub(crate) const DEFAULT_LEASE: Duration = Duration::from_secs(10 * 24 * 3600);

/// The shortest lease; a shorter one in a request is raised to it.
pub(crate) const MIN_LEASE: Duration = Duration::from_secs(5 * 60);

/// The longest lease; a longer one in a request is reduced to it.
pub(crate) const MAX_LEASE: Duration = Duration::from_secs(30 * 24 * 3600);

/// A request of a subscriber or of the publisher.
#[derive(Debug)]
pub(crate) enum HubRequest {
    Subscription(SubscriptionRequest),
    /// The publisher's ping: check the publication source.
    Publish,
}

/// The requested change (`hub.mode`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SubscriptionMode {
    Subscribe,
    Unsubscribe,
}

/// A change of a subscription that is yet to be verified.
#[derive(Clone, Debug)]
pub(crate) struct SubscriptionRequest {
    pub(crate) mode: SubscriptionMode,
    /// The file of the topic.
    pub(crate) path: String,
    /// The topic as requested, which the verification repeats (WebSub §5.3).
    pub(crate) topic_url: String,
    pub(crate) callback: Callback,
    pub(crate) secret: Option<Secret>,
    /// The lease, between [`MIN_LEASE`] and [`MAX_LEASE`].
    pub(crate) lease: Duration,
}

/// The reason why a request is refused: the text of the 400.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadRequest {
    #[error("the form is not percent-encoded UTF-8")]
    Encoding,
    #[error("{0} has the character NUL")]
    Nul(&'static str),
    #[error("{0} is given twice")]
    Twice(&'static str),
    #[error("{0} is missing")]
    Missing(&'static str),
    #[error("hub.mode must be subscribe, unsubscribe or publish")]
    Mode,
    #[error("hub.lease_seconds must be a whole number of seconds above 0")]
    Lease,
    #[error("hub.secret must be shorter than {SECRET_LIMIT} bytes")]
    Secret,
    #[error(transparent)]
    Topic(#[from] UnknownTopic),
    #[error(transparent)]
    Callback(#[from] BadCallback),
}

impl SubscriptionMode {
    /// Returns the value of `hub.mode`.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Subscribe => "subscribe",
            Self::Unsubscribe => "unsubscribe",
        }
    }
}

impl HubRequest {
    /// Reads a form. Unknown fields are ignored. `ports` are those that the operator permits for callbacks in addition
    /// to the usual ones.
    ///
    /// # Errors
    /// The first fault, as a message for the client.
    pub(crate) fn parse(form: &[u8], topics: &Topics, ports: &[u16]) -> Result<Self, BadRequest> {
        let fields = Fields::parse(form)?;
        let mode = match fields.needed("hub.mode")? {
            "subscribe" => SubscriptionMode::Subscribe,
            "unsubscribe" => SubscriptionMode::Unsubscribe,
            "publish" => {
                let topic = fields.get("hub.topic").or_else(|| fields.get("hub.url"));
                topics.resolve(topic.ok_or(BadRequest::Missing("hub.topic"))?)?;
                return Ok(Self::Publish);
            }
            _ => return Err(BadRequest::Mode),
        };
        let topic_url = fields.needed("hub.topic")?.to_owned();
        let path = topics.resolve(&topic_url)?.to_owned();
        let callback = Callback::parse(fields.needed("hub.callback")?, ports)?;
        let lease = match mode {
            SubscriptionMode::Subscribe => lease(fields.get("hub.lease_seconds"))?,
            SubscriptionMode::Unsubscribe => DEFAULT_LEASE,
        };
        let secret = fields.get("hub.secret");
        if secret.is_some_and(|secret| secret.len() >= SECRET_LIMIT) {
            return Err(BadRequest::Secret);
        }
        let secret = secret.map(|secret| Secret::new(secret.as_bytes().to_vec()));
        Ok(Self::Subscription(SubscriptionRequest {
            mode,
            path,
            topic_url,
            callback,
            secret,
            lease,
        }))
    }
}

fn lease(field: Option<&str>) -> Result<Duration, BadRequest> {
    let Some(text) = field else { return Ok(DEFAULT_LEASE) };
    if !text.bytes().all(|byte| byte.is_ascii_digit()) || text.bytes().all(|byte| byte == b'0') {
        return Err(BadRequest::Lease);
    }
    // Digits that make too large a number are clamped like any large number.
    let seconds = text.parse().unwrap_or(u64::MAX);
    Ok(Duration::from_secs(seconds).clamp(MIN_LEASE, MAX_LEASE))
}

/// The known fields of a form. An empty one counts as absent.
#[derive(Default)]
struct Fields(Vec<(&'static str, String)>);

impl Fields {
    const KNOWN: [&str; 6] =
        ["hub.mode", "hub.topic", "hub.url", "hub.callback", "hub.lease_seconds", "hub.secret"];

    fn parse(form: &[u8]) -> Result<Self, BadRequest> {
        let mut fields = Self::default();
        for pair in form.split(|&byte| byte == b'&') {
            let end = pair.iter().position(|&byte| byte == b'=').unwrap_or(pair.len());
            let name = decode_form(&pair[..end]);
            let known = Self::KNOWN.into_iter().find(|known| name.as_deref() == Some(*known));
            let Some(known) = known else { continue };
            let value = decode_form(pair.get(end + 1..).unwrap_or_default());
            if fields.0.iter().any(|(name, _)| *name == known) {
                return Err(BadRequest::Twice(known));
            }
            let value = value.ok_or(BadRequest::Encoding)?;
            // PostgreSQL stores no text with it. A secret is bytes.
            if known != "hub.secret" && value.contains('\0') {
                return Err(BadRequest::Nul(known));
            }
            fields.0.push((known, value));
        }
        Ok(fields)
    }

    fn get(&self, name: &str) -> Option<&str> {
        let field = self.0.iter().find(|(known, _)| *known == name);
        field.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    fn needed(&self, name: &'static str) -> Result<&str, BadRequest> {
        self.get(name).ok_or(BadRequest::Missing(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOPIC: &str = "https://x.example/feed.xml";

    fn topics() -> Topics {
        let manifest = serde_json::json!({
            "format": 1, "build_id": contract::etag::ETag::of(b""),
            "published_at": "2026-01-01T00:00:00Z", "base_url": "https://x.example",
            "sidecar": null, "topics": [{ "url": TOPIC, "path": "feed.xml" }], "files": []
        });
        let manifest = manifest.to_string();
        Topics::of(&contract::manifest::Manifest::from_json(manifest.as_bytes()).unwrap())
    }

    fn parse(form: &str) -> Result<HubRequest, String> {
        HubRequest::parse(form.as_bytes(), &topics(), &[]).map_err(|error| error.to_string())
    }

    /// Parses a subscription with these further fields.
    fn subscription_request(fields: &str) -> Result<SubscriptionRequest, String> {
        let form = format!(
            "hub.mode=subscribe&hub.topic={TOPIC}&hub.callback=https://s.example/cb{fields}"
        );
        parse(&form).map(|request| match request {
            HubRequest::Subscription(subscription_request) => subscription_request,
            HubRequest::Publish => panic!("a subscription"),
        })
    }

    #[test]
    fn the_fields_of_a_subscription_are_read_and_others_ignored() {
        let subscription_request = subscription_request(
            "&hub.secret=s%C3%A9&hub.lease_seconds=864000&foo=bar&hub.foo=%ff",
        )
        .unwrap();
        assert_eq!(
            (subscription_request.mode, subscription_request.path.as_str()),
            (SubscriptionMode::Subscribe, "feed.xml")
        );
        assert_eq!(subscription_request.topic_url, TOPIC);
        assert_eq!(subscription_request.callback.url, "https://s.example/cb");
        assert_eq!(subscription_request.secret.unwrap().bytes(), "sé".as_bytes());
        assert_eq!(subscription_request.lease, Duration::from_secs(864_000));
    }

    #[test]
    fn the_reason_of_a_refusal_is_reported() {
        let mode = "hub.mode must be subscribe, unsubscribe or publish";
        let topic = format!("hub.topic is none of this hub's topics: {TOPIC}");
        for (form, reason) in [
            ("".to_owned(), "hub.mode is missing"),
            ("hub.mode=".to_owned(), "hub.mode is missing"),
            ("hub.mode=denied".to_owned(), mode),
            ("hub.mode=Subscribe".to_owned(), mode),
            ("hub.mode=subscribe".to_owned(), "hub.topic is missing"),
            ("hub.mode=subscribe&hub.topic=x".to_owned(), topic.as_str()),
            (format!("hub.mode=subscribe&hub.topic={TOPIC}"), "hub.callback is missing"),
            (format!("hub.mode=unsubscribe&hub.topic={TOPIC}"), "hub.callback is missing"),
            ("hub.mode=publish".to_owned(), "hub.topic is missing"),
            ("hub.mode=publish&hub.url=https://y.example/".to_owned(), topic.as_str()),
            ("hub.mode=subscribe&hub.mode=subscribe".to_owned(), "hub.mode is given twice"),
            ("hub.mode=%zz".to_owned(), "the form is not percent-encoded UTF-8"),
            ("hub.mode=%f".to_owned(), "the form is not percent-encoded UTF-8"),
            ("hub.mode=%ff".to_owned(), "the form is not percent-encoded UTF-8"),
            (format!("hub.mode=subscribe&hub.topic={TOPIC}%00"), "hub.topic has the character NUL"),
        ] {
            assert_eq!(parse(&form).unwrap_err(), reason, "{form}");
        }
        for field in ["hub.topic=x", "hub.callback=x", "hub.secret=x", "hub.lease_seconds=1"] {
            let name = field.split_once('=').unwrap().0;
            let again = format!("&{field}&{field}");
            assert_eq!(subscription_request(&again).unwrap_err(), format!("{name} is given twice"));
        }
    }

    #[test]
    fn a_secret_has_up_to_199_bytes_not_characters() {
        let of = |secret: &str| subscription_request(&format!("&hub.secret={secret}"));
        assert!(of(&"x".repeat(199)).is_ok());
        let reason = "hub.secret must be shorter than 200 bytes";
        assert_eq!(of(&"x".repeat(200)).unwrap_err(), reason);
        assert!(of(&format!("{}x", "é".repeat(99))).is_ok());
        assert_eq!(of(&"é".repeat(100)).unwrap_err(), reason);
        assert!(of("").unwrap().secret.is_none(), "an empty secret is none");
        assert_eq!(of("a%00b").unwrap().secret.unwrap().bytes(), b"a\0b");
    }

    #[test]
    fn a_lease_is_clamped_and_nonsense_refused_where_it_matters() {
        let of = |lease: &str| {
            subscription_request(&format!("&hub.lease_seconds={lease}"))
                .map(|subscription_request| subscription_request.lease)
        };
        assert_eq!(of("1"), Ok(MIN_LEASE));
        assert_eq!(of("299"), Ok(MIN_LEASE));
        assert_eq!(of("301"), Ok(Duration::from_secs(301)));
        assert_eq!(of("2592001"), Ok(MAX_LEASE));
        assert_eq!(of("99999999999999999999999"), Ok(MAX_LEASE));
        assert_eq!(of(""), Ok(DEFAULT_LEASE));
        assert_eq!(subscription_request("").unwrap().lease, DEFAULT_LEASE);
        for bad in ["0", "000", "-1", "1.5", "%2B5", "ten", "+7", "1e3", "٣"] {
            let reason = "hub.lease_seconds must be a whole number of seconds above 0";
            assert_eq!(of(bad), Err(reason.to_owned()), "{bad}");
        }
        let unsubscribe = format!(
            "hub.mode=unsubscribe&hub.topic={TOPIC}&hub.callback=https://s.example/&hub.lease_seconds=x"
        );
        assert!(parse(&unsubscribe).is_ok());
    }

    #[test]
    fn a_ping_names_a_topic_in_either_field() {
        for field in ["hub.url", "hub.topic"] {
            let form = format!("hub.mode=publish&{field}={TOPIC}");
            assert!(matches!(parse(&form), Ok(HubRequest::Publish)), "{form}");
        }
    }
}
