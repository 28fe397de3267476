//! The protocol over lines: each is a message, answered as `/mcp` answers it (docs/mcp.md, "Any site,
//! from your own machine").

use super::{
    exchange::exchange,
    message::{Era, Message},
    served::Served,
    session::Session,
};
use crate::http::refusal::{RpcRefusal, TRANSPORT};

/// The one client.
#[derive(Debug, Default)]
pub(crate) struct LineSession {
    /// What its newest handshake agreed on.
    session: Option<Session>,
}

impl LineSession {
    /// Returns the response to a message, in one line; `None` to a notification.
    pub(crate) async fn answer(&mut self, line: &[u8], served: &Served) -> Option<Vec<u8>> {
        let session = self.session.as_ref();
        let check = |message: &Message<'_>| match message.era(None) {
            // A ping may come before the handshake (2025-11-25, "Initialization").
            Era::Session if session.is_none() && message.method != "ping" => {
                Err(RpcRefusal::bad(TRANSPORT, "Send initialize first."))
            }
            _ => Ok(()),
        };
        let is_notification = Message::read(line).is_ok_and(|message| message.id.is_none());
        let mut reply = exchange(line, served, session, check).await;
        self.session = reply.opened.take().or(self.session.take());
        // Between the values of published JSON there may be line breaks. In a string they are escaped.
        let body = &mut reply.body;
        body.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        (!is_notification && !reply.body.is_empty()).then_some(reply.body)
    }
}
