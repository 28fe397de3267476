//! The protocol over lines: each is a message, answered as `/mcp` answers it (docs/mcp.md, "Any site,
//! from your own machine").

use rmcp::model::ProtocolVersion;

use super::{
    exchange::exchange,
    message::{Era, Message},
    served::Served,
};
use crate::http::refusal::{RpcRefusal, TRANSPORT};

/// The session of the one client.
#[derive(Debug, Default)]
pub(crate) struct LineSession {
    /// The revision of its newest handshake.
    revision: Option<ProtocolVersion>,
}

impl LineSession {
    /// Returns the response to a message, in one line; `None` to a notification.
    pub(crate) async fn answer(&mut self, line: &[u8], served: &Served) -> Option<Vec<u8>> {
        let revision = self.revision.as_ref().map(ProtocolVersion::as_str);
        let check = |message: &Message<'_>| match message.era(None) {
            Era::Session if revision.is_none() => {
                Err(RpcRefusal::bad(TRANSPORT, "Send initialize first."))
            }
            _ => Ok(()),
        };
        let is_notification = Message::read(line).is_ok_and(|message| message.id.is_none());
        let mut reply = exchange(line, served, revision, check).await;
        self.revision = reply.opened.or(self.revision.take());
        // Between the values of published JSON there may be line breaks. In a string they are escaped.
        let body = &mut reply.body;
        body.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        (!is_notification && !reply.body.is_empty()).then_some(reply.body)
    }
}
