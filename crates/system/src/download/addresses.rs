//! Decides which addresses a client connects to. The user chooses the first one. Where a redirect leads, or a name
//! that resolves to another address later, others choose: those are public addresses, or of the first one's kind.

use std::{
    net::IpAddr,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use contract::address::is_public;
use ureq::{
    Error,
    config::Config,
    http::Uri,
    unversioned::{
        resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver},
        transport::NextTimeout,
    },
};

/// The kind of an address. The first kind is preferred if a name has addresses of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Public,
    /// Private by RFC 1918 or RFC 4193.
    Private,
    Loopback,
    /// Link-local, shared, reserved: one may have the secrets of a cloud machine, so that none leads to another.
    Other(IpAddr),
}

impl Kind {
    fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            address if is_public(address) => Self::Public,
            IpAddr::V4(address) if address.is_private() => Self::Private,
            IpAddr::V6(address) if address.is_unique_local() => Self::Private,
            address if address.is_loopback() => Self::Loopback,
            address => Self::Other(address),
        }
    }

    /// Whether a first address of this kind may lead to another address.
    fn permits(self, address: IpAddr) -> bool {
        let kind = Self::of(address);
        kind == Self::Public || kind == self
    }
}

/// Finds the addresses of one client's hosts, and those only that the first one permits. It is asked before
/// every request, but not about hosts whose names a proxy resolves.
#[derive(Debug, Default)]
pub(super) struct PolicedResolver<R = DefaultResolver> {
    names: R,
    first: OnceLock<Kind>,
    /// A request went over https: no other one goes over http.
    is_secure: AtomicBool,
}

impl PolicedResolver {
    /// Makes a resolver. If a proxy resolves the first name, that name leads to a public address.
    pub(super) fn new(is_proxied: bool) -> Self {
        let first = is_proxied.then_some(Kind::Public).map_or_else(OnceLock::new, OnceLock::from);
        Self { first, ..Self::default() }
    }
}

impl<R: Resolver> Resolver for PolicedResolver<R> {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let found = self.names.resolve(uri, config, timeout)?;
        if config.proxy().is_some_and(|proxy| proxy.uri() == uri) {
            return Ok(found);
        }
        let is_https = uri.scheme_str() == Some("https");
        if self.is_secure.fetch_or(is_https, Ordering::Relaxed) && !is_https {
            return Err(Error::RequireHttpsOnly(uri.to_string()));
        }
        let kinds = found.iter().map(|address| Kind::of(address.ip()));
        let first = self.first.get_or_init(|| kinds.min().unwrap_or(Kind::Public));
        let mut permitted = self.empty();
        for address in found.iter().filter(|address| first.permits(address.ip())) {
            permitted.push(*address);
        }
        match found.first().filter(|_| permitted.is_empty()) {
            Some(address) => Err(Error::Other(
                format!(
                    "{} leads to {}, which is not a public address; name it yourself if you trust it",
                    uri.host().unwrap_or_default(),
                    address.ip()
                )
                .into(),
            )),
            None => Ok(permitted),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read, Write},
        net::{SocketAddr, TcpListener, TcpStream},
        sync::Mutex,
    };

    use ureq::{Agent, unversioned::transport::DefaultConnector};

    use super::{super::explain, *};

    const METADATA: &str = "169.254.169.254";

    #[test]
    fn the_first_address_decides_which_others_are_permitted() {
        let public = ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"];
        let private = ["10.1.2.3", "172.16.0.1", "192.168.1.1", "fd00::1", "::ffff:10.0.0.1"];
        let loopback = ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"];
        let other = [
            "0.0.0.0",
            "::",
            METADATA,
            "::ffff:169.254.169.254",
            "fe80::1",
            "100.100.100.200",
            "168.63.129.16",
            "192.0.0.192",
            "224.0.0.1",
            "64:ff9b::a9fe:a9fe",
            "2002:7f00:1::",
        ];
        let groups: [&[&str]; 4] = [&public, &private, &loopback, &other];
        for (from, firsts) in groups.iter().enumerate() {
            for (to, nexts) in groups.iter().enumerate() {
                for (first, next) in
                    firsts.iter().flat_map(|first| nexts.iter().map(move |next| (first, next)))
                {
                    let [one, two] = [first, next].map(|text| text.parse::<IpAddr>().unwrap());
                    let is_same = one.to_canonical() == two.to_canonical();
                    let expected = to == 0 || (from == to && (from < 3 || is_same));
                    assert_eq!(Kind::of(one).permits(two), expected, "{first} to {next}");
                }
            }
        }
    }

    /// Each name has one address after the other; the last one stays.
    #[derive(Debug)]
    struct Names(Mutex<Vec<(&'static str, SocketAddr)>>);

    impl Resolver for Names {
        fn resolve(
            &self,
            uri: &Uri,
            _: &Config,
            _: NextTimeout,
        ) -> Result<ResolvedSocketAddrs, Error> {
            let mut names = self.0.lock().unwrap();
            let mut found = self.empty();
            let host = uri.host().unwrap();
            let count = names.iter().filter(|(name, _)| *name == host).count();
            found.push(match names.iter().position(|(name, _)| *name == host) {
                None => SocketAddr::new(host.trim_matches(['[', ']']).parse().unwrap(), 80),
                Some(at) if count == 1 => names[at].1,
                Some(at) => names.remove(at).1,
            });
            Ok(found)
        }
    }

    /// Returns the message of a client for `http://first.test/` if every response redirects to `location`, and the
    /// number of requests. A name has the address of the server, or another one.
    fn redirected_to(location: &str, names: &[(&'static str, &str)]) -> (String, usize) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let of = |text: &str| match text {
            "server" => address,
            text => SocketAddr::new(text.parse().unwrap(), address.port()),
        };
        let names = names.iter().map(|&(name, text)| (name, of(text))).collect();
        let answer = format!(
            "HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        let resolver = PolicedResolver {
            names: Names(Mutex::new(names)),
            first: OnceLock::new(),
            is_secure: AtomicBool::new(false),
        };
        let config = Agent::config_builder().proxy(None).max_redirects(5).build();
        let agent = Agent::with_parts(config, DefaultConnector::default(), resolver);
        let server = std::thread::spawn(move || {
            for served in 0.. {
                let (mut stream, _) = listener.accept().unwrap();
                if stream.read(&mut [0; 1024]).unwrap() == 0 {
                    return served;
                }
                let _ = stream.write_all(answer.as_bytes());
            }
            0
        });
        let outcome = agent.get("http://first.test/").call();
        drop(TcpStream::connect(address).unwrap());
        (explain(&outcome.unwrap_err()), server.join().unwrap())
    }

    #[test]
    fn a_name_leads_to_no_other_kind_of_address() {
        let there = |address: &str| {
            format!("{address}, which is not a public address; name it yourself if you trust it")
        };
        for address in [METADATA, "10.0.0.1", "fe80::1", "0.0.0.0", "::ffff:169.254.169.254"] {
            let names = [("first.test", "server"), ("second.test", address)];
            let expected = format!("second.test leads to {}", there(address));
            assert_eq!(redirected_to("http://second.test/", &names), (expected, 1));
            let names = [("first.test", "server"), ("first.test", address)];
            let expected = format!("first.test leads to {}", there(address));
            assert_eq!(
                redirected_to("/again", &names),
                (expected, 1),
                "the name has another address now"
            );
            let literal =
                url::Host::parse(address).or(url::Host::parse(&format!("[{address}]"))).unwrap();
            let expected = format!("{literal} leads to ");
            let said = redirected_to(&format!("http://{literal}/"), &[("first.test", "server")]);
            assert!(said.0.starts_with(&expected) && said.1 == 1, "{said:?}");
        }
        let names = [("first.test", "server"), ("second.test", "127.0.0.1")];
        let endless = ("too many redirects".to_owned(), 6);
        assert_eq!(
            redirected_to("http://second.test/", &names),
            endless,
            "it stays on this machine"
        );
    }

    #[test]
    fn a_client_that_used_https_uses_no_http() {
        let names = Names(Mutex::new(vec![("first.test", "8.8.8.8:80".parse().unwrap())]));
        let resolver = PolicedResolver { names, first: OnceLock::new(), is_secure: false.into() };
        let resolve = |uri: &str| {
            let timeout = NextTimeout::default();
            let found = resolver.resolve(&uri.parse().unwrap(), &Config::default(), timeout);
            found.map(|_| ()).map_err(|error| explain(&error))
        };
        let refused = "it redirects from https to http; name an https address that does not";
        assert_eq!(resolve("http://first.test/"), Ok(()));
        assert_eq!(resolve("https://first.test/"), Ok(()));
        assert_eq!(resolve("http://first.test/"), Err(refused.to_owned()));
        assert_eq!(resolve("https://first.test/"), Ok(()));
    }
}
