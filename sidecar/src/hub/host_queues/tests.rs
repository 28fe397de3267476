use super::*;

#[derive(Debug, PartialEq, Eq)]
struct Call(&'static str, &'static str);

/// A call with its site, its host and its callback.
#[derive(Debug, PartialEq, Eq)]
struct SiteCall(&'static str, &'static str, &'static str);

impl HostCall for SiteCall {
    fn host(&self) -> &str {
        self.1
    }
    fn callback(&self) -> &str {
        self.2
    }
    fn site(&self) -> &str {
        self.0
    }
}

impl HostCall for Call {
    fn host(&self) -> &str {
        self.0
    }
    fn callback(&self) -> &str {
        self.1
    }
    fn site(&self) -> &str {
        ""
    }
}

#[test]
fn hosts_take_turns_within_their_bounds() {
    let mut queues = HostQueues::new(10, 2);
    for callback in ["a1", "a2", "a3"] {
        queues.enqueue(Call("a", callback)).unwrap();
    }
    queues.enqueue(Call("b", "b1")).unwrap();
    let begun: Vec<_> = std::iter::from_fn(|| queues.next()).map(|call| call.1).collect();
    assert_eq!(begun, ["a1", "b1", "a2"], "two of one host at once, and the other between");
    queues.done(&Call("a", "a1"), true);
    assert_eq!(queues.next(), Some(Call("a", "a3")));
    assert_eq!(queues.next(), None);
}

#[test]
fn no_more_than_the_total_are_under_way() {
    let mut queues = HostQueues::new(2, 5);
    for call in [Call("a", "1"), Call("b", "2"), Call("c", "3")] {
        queues.enqueue(call).unwrap();
    }
    assert!(queues.next().is_some() && queues.next().is_some());
    assert_eq!((queues.next(), queues.running()), (None, 2));
    queues.done(&Call("a", "1"), true);
    assert!(queues.next().is_some());
}

#[test]
fn one_subscriber_is_called_once_at_a_time() {
    let mut queues = HostQueues::new(10, 10);
    queues.enqueue(Call("a", "1")).unwrap();
    queues.enqueue(Call("a", "1")).unwrap();
    assert!(queues.next().is_some());
    assert_eq!(queues.next(), None);
    queues.done(&Call("a", "1"), true);
    assert!(queues.next().is_some());
}

#[test]
fn an_unresponsive_host_is_called_once_at_a_time_until_it_responds() {
    let mut queues = HostQueues::new(10, 3);
    for callback in ["1", "2", "3", "4", "5"] {
        queues.enqueue(Call("a", callback)).unwrap();
    }
    queues.next();
    queues.done(&Call("a", "1"), false);
    assert!(queues.next().is_some());
    assert_eq!(queues.next(), None);
    queues.done(&Call("a", "2"), true);
    assert!(queues.next().is_some() && queues.next().is_some());
}

#[test]
fn hosts_that_do_not_respond_are_not_remembered_without_end() {
    let mut queues = HostQueues::new(2, 8);
    for number in 0..1_000 {
        let host: &'static str = format!("{number}.example").leak();
        queues.enqueue(Call(host, "/")).unwrap();
        let call = queues.next().unwrap();
        queues.done(&call, false);
    }
    assert!(queues.hosts.len() <= REMEMBERED * 2, "{}", queues.hosts.len());
}

#[test]
fn a_host_with_enough_to_do_takes_no_more_and_takes_no_room() {
    let mut queues = HostQueues::new(4, 1);
    for _ in 0..WAITING {
        queues.enqueue(Call("a", "1")).unwrap();
    }
    assert_eq!(queues.enqueue(Call("a", "1")), Err(Call("a", "1")));
    assert_eq!(queues.busy_hosts(), ["a"]);
    queues.next();
    assert_eq!(queues.next(), None);
    assert_eq!(queues.room(), 7, "only what is under way counts");
    assert_eq!(queues.drain().len(), WAITING - 1);
    assert!(!queues.is_idle());
    queues.done(&Call("a", "1"), true);
    assert!(queues.is_idle());
}

#[test]
fn a_site_has_a_fourth_of_the_calls_and_holds_up_no_other() {
    let mut queues = HostQueues::new(8, 8);
    for callback in ["1", "2", "3", "4"] {
        queues.enqueue(SiteCall("a.example", "h", callback)).unwrap();
    }
    assert_eq!(queues.busy_sites(), ["a.example"]);
    assert_eq!(queues.claim_size(), 2, "all that is claimed may be of one site");
    queues.enqueue(SiteCall("b.example", "h", "5")).unwrap();
    queues.enqueue(SiteCall("a.example", "i", "6")).unwrap();
    queues.enqueue(SiteCall("b.example", "j", "7")).unwrap();
    let begun: Vec<_> = std::iter::from_fn(|| queues.next()).map(|call| call.2).collect();
    assert_eq!(begun, ["1", "6", "7", "5"]);
    queues.done(&SiteCall("a.example", "h", "1"), true);
    assert_eq!(queues.next(), Some(SiteCall("a.example", "h", "2")));
    assert_eq!(queues.next(), None);
    for call in [SiteCall("a.example", "h", "2"), SiteCall("a.example", "i", "6")] {
        queues.done(&call, true);
    }
    assert!(queues.next().is_some() && queues.next().is_some());
    queues.done(&SiteCall("a.example", "h", "3"), true);
    queues.done(&SiteCall("b.example", "h", "5"), true);
    assert!(queues.busy_sites().is_empty());
}

#[test]
fn the_only_site_of_a_sidecar_may_use_all_places() {
    let mut queues = HostQueues::new(4, 4);
    assert_eq!(queues.claim_size(), 1, "nothing is known of the sites");
    for callback in ["1", "2", "3", "4"] {
        queues.enqueue(Call("a", callback)).unwrap();
    }
    assert_eq!(std::iter::from_fn(|| queues.next()).count(), 4);
    assert!(queues.busy_sites().is_empty());
    assert_eq!(queues.claim_size(), queues.room());
}
