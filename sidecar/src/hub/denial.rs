//! Denials (WebSub §5.2): the notice that a subscription was removed because deliveries failed.

use std::rc::Rc;

use actix_web::rt;
use tokio::sync::Semaphore;

use super::{callback::Callback, client::HubClient};

/// Maximum number of denials in progress at once.
const MAX_DENIALS: usize = 16;

/// The reason in a denial.
const FAILED_TOO_OFTEN: &str = "three deliveries in a row were not answered with 2xx";

/// Sends denials, at most [`MAX_DENIALS`] at once.
pub(super) struct Denials {
    client: HubClient,
    permits: Rc<Semaphore>,
}

impl Denials {
    pub(super) fn new(client: HubClient) -> Self {
        Self { client, permits: Rc::new(Semaphore::new(MAX_DENIALS)) }
    }

    /// Sends a denial. It is not repeated: the subscription has ended whatever the response is.
    pub(super) fn send(&self, url: String) {
        let (client, permits) = (self.client.clone(), self.permits.clone());
        rt::spawn(async move {
            if let Ok(_permit) = permits.acquire().await {
                client.deny(&url).await;
            }
        });
    }
}

/// Returns the URL that a denial requests.
pub(super) fn denial_url(callback: &str, topic_url: &str) -> String {
    let parameters =
        [("hub.mode", "denied"), ("hub.topic", topic_url), ("hub.reason", FAILED_TOO_OFTEN)];
    Callback::with_parameters(callback, &parameters)
}
