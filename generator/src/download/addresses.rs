//! Which addresses a client connects to. The user chooses the first one. Where a redirect leads, or a name
//! that resolves to another address later, others choose: those lead to public addresses, or to
//! addresses of the first one's kind.

use std::{
    io,
    net::IpAddr,
    sync::{Arc, OnceLock},
};

use contract::address::is_public;
use ureq::{
    Error,
    config::Config,
    http::Uri,
    unversioned::{
        resolver::{ResolvedSocketAddrs, Resolver},
        transport::NextTimeout,
    },
};
use url::{Host, Url};

/// What kind of address it is. The order is that of preference if a name has addresses of several kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Public,
    /// Private by RFC 1918 or RFC 4193.
    Private,
    Loopback,
    /// Link-local, shared, reserved: addresses that have nothing in common, such as that of the service that
    /// has the secrets of a virtual machine.
    Other(IpAddr),
}

impl Kind {
    fn of(address: IpAddr) -> Self {
        let address = address.to_canonical();
        let is_private = match address {
            IpAddr::V4(address) => address.is_private(),
            IpAddr::V6(address) => address.is_unique_local(),
        };
        match () {
            () if is_public(address) => Self::Public,
            () if is_private => Self::Private,
            () if address.is_loopback() => Self::Loopback,
            () => Self::Other(address),
        }
    }
}

/// The addresses of one client. The first one that it connects to decides about the others.
#[derive(Clone, Debug, Default)]
pub(super) struct AddressRule {
    first: Arc<OnceLock<Kind>>,
}

impl AddressRule {
    /// The rule for requests that begin with an address whose name a proxy resolves.
    pub(super) fn behind_proxy(url: &Url) -> Self {
        let first = literal(url).map_or(Kind::Public, Kind::of);
        Self { first: Arc::new(first.into()) }
    }

    /// Checks an address that is written as a number. A proxy resolves names, and can refuse them.
    pub(super) fn check(&self, url: &Url) -> io::Result<()> {
        match (literal(url), self.first.get()) {
            (Some(address), Some(first)) if !permits(*first, address) => {
                Err(io::Error::other(refusal(url.host_str(), address)))
            }
            _ => Ok(()),
        }
    }
}

fn permits(first: Kind, address: IpAddr) -> bool {
    let kind = Kind::of(address);
    kind == Kind::Public || kind == first
}

fn refusal(host: Option<&str>, address: IpAddr) -> String {
    let host = host.unwrap_or_default();
    format!(
        "{host} leads to {address}, which is not a public address; name it yourself if you trust it"
    )
}

/// The address that a URL has instead of a name.
fn literal(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

/// A resolver that has only the addresses that a rule permits.
#[derive(Debug)]
pub(super) struct PolicedResolver<R> {
    pub(super) names: R,
    pub(super) rule: AddressRule,
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
        let kinds = found.iter().map(|address| Kind::of(address.ip()));
        let first = *self.rule.first.get_or_init(|| kinds.min().unwrap_or(Kind::Public));
        let mut permitted = self.empty();
        for address in found.iter().filter(|address| permits(first, address.ip())) {
            permitted.push(*address);
        }
        match found.first().filter(|_| permitted.is_empty()) {
            Some(address) => Err(Error::Other(refusal(uri.host(), address.ip()).into())),
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
        time::Duration,
    };

    use super::{
        super::{client, config, follow},
        *,
    };

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
                    assert_eq!(permits(Kind::of(one), two), expected, "{first} to {next}");
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
            let at = names.iter().position(|(name, _)| Some(*name) == uri.host()).unwrap();
            let is_last = names.iter().filter(|(name, _)| Some(*name) == uri.host()).count() == 1;
            let address = if is_last { names[at].1 } else { names.remove(at).1 };
            let mut found = self.empty();
            found.push(address);
            Ok(found)
        }
    }

    /// What a client says of `http://first.test/` if every response redirects to `location`. Names without an
    /// address of their own are those of the server.
    fn redirected_to(location: &str, names: &[(&'static str, &str)]) -> (String, usize) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let of = |text: &str| match text {
            "server" => address,
            text => SocketAddr::new(text.parse().unwrap(), address.port()),
        };
        let names = names.iter().map(|&(name, text)| (name, of(text))).collect();
        let answer =
            format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n");
        let client = client(
            &Url::parse("http://first.test/").unwrap(),
            config(Duration::from_secs(60)).max_idle_connections(0),
            Names(Mutex::new(names)),
        );
        let server = std::thread::spawn(move || {
            let mut served = 0;
            loop {
                let (mut stream, _) = listener.accept().unwrap();
                if stream.read(&mut [0; 1024]).unwrap() == 0 {
                    return served;
                }
                served += 1;
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        let outcome = follow(&client, &Url::parse("http://first.test/").unwrap(), None);
        drop(TcpStream::connect(address).unwrap());
        (outcome.unwrap_err().to_string(), server.join().unwrap())
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
        let endless = ("it redirects more than 5 times".to_owned(), 6);
        assert_eq!(
            redirected_to("http://second.test/", &names),
            endless,
            "it stays on this machine"
        );
    }
}
