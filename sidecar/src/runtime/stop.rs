//! A request to a thread to end, whether it computes or waits.

use std::sync::Arc;

use tokio::sync::watch;

/// A request to stop that is made once and seen by every clone.
#[derive(Clone, Debug)]
pub(crate) struct Stop(Arc<watch::Sender<bool>>);

impl Default for Stop {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

impl Stop {
    pub(crate) fn ask(&self) {
        self.0.send_replace(true);
    }

    pub(crate) fn is_asked(&self) -> bool {
        *self.0.borrow()
    }

    /// Is ready once a stop was requested.
    pub(crate) async fn asked(&self) {
        // Fails when the sender is gone, which is ours.
        let _ = self.0.subscribe().wait_for(|asked| *asked).await;
    }
}
