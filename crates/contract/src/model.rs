//! The published data: the business, its reviews and their averages. Every key is always present,
//! with `null` for an absent value.

mod aggregate;
mod business;
mod day;
mod rating;
mod review;
mod review_id;

pub use aggregate::{Aggregate, AggregateRating, Ratio};
pub use business::{
    Address, Business, DIRECT, DataTerms, END_OF_DAY, Faq, Geo, Hours, Named, Policy, Service,
    Source, Summary, Technician, Verification, source_name,
};
pub use day::{Day, InvalidDay};
pub use rating::{InvalidRating, Rating};
pub use review::{
    ANONYMOUS, DatePrecision, Disclosure, DisclosureKind, InvalidWord, Mentions, OwnerReply,
    Review, Translation, VerificationKind, WithheldReason,
};
pub use review_id::{InvalidReviewId, ReviewId};
