use super::{Body, stream::ObjectWriter};
use crate::dataset::Dataset;

/// Version of the document's shape (contract 2.2).
const VERSION: u32 = 1;

pub(super) fn body(data: &Dataset) -> Body<'_> {
    Body::Stream(Box::new(move |out| {
        let mut object = ObjectWriter::open(out)?;
        object.member("version", &VERSION)?;
        object.member("generated_at", &data.generated_at)?;
        object.member("business", &data.business)?;
        object.member("aggregate_rating", &data.aggregate)?;
        object.member("sources", &data.sources)?;
        object.member("moderation", &data.moderation)?;
        object.array("reviews", &data.reviews)?;
        object.close()
    }))
}
