//! Answers that are rows of their own: whose they are, and which review each answers.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::{columns, error::Refusal, node::Node};
use content::{ColumnMap, Field};
use contract::{model::OwnerReply, text::printable};

/// An answer that is a row of its own.
pub(super) struct Answer {
    /// The id of the review.
    pub(super) id: String,
    /// The account that wrote it, or else the author.
    pub(super) account: Option<String>,
    /// Whether the row says that the owner wrote it.
    pub(super) is_owners: bool,
    pub(super) reply: OwnerReply,
}

/// Gives the rows the answers that the owner wrote, and returns whether there is one. `has_accounts`: the file has a column
/// of accounts.
pub(super) fn give(answers: Vec<Answer>, rows: &mut [Node], has_accounts: bool) -> bool {
    // Where accounts are known, the shop has one, and customers answer each other, too; where they are not, an author
    // who answers twice and reviews nothing.
    let customers: HashSet<&str> = rows
        .iter()
        .filter_map(|row| {
            let review = &row.row()?.review;
            if has_accounts { review.author_id.as_deref() } else { review.author.as_deref() }
        })
        .collect();
    let others = || {
        let accounts = answers.iter().filter_map(|answer| answer.account.as_deref());
        accounts.filter(|account| !customers.contains(account))
    };
    let is_one = |shop: &&str| {
        others().all(|account| account == *shop) && (has_accounts || others().count() > 1)
    };
    let shop = others().next().filter(is_one).map(str::to_owned);
    let of_owner = answers
        .into_iter()
        .filter(|answer| answer.is_owners || answer.account.is_some() && answer.account == shop);
    let mut answers: HashMap<String, OwnerReply> =
        of_owner.map(|answer| (answer.id, answer.reply)).collect();
    let is_any = !answers.is_empty();
    for row in rows.iter_mut().filter_map(Node::row_mut) {
        let review = &mut row.review;
        let answer = review.ids.iter().find_map(|id| answers.remove(id));
        review.reply = review.reply.take().or(answer);
    }
    is_any
}

/// Why rows of these authors, with stars and without a review that they answer, are not all the owner's.
pub(super) fn refusal(owners: &BTreeSet<String>, map: &ColumnMap) -> Option<Refusal> {
    let (first, second) = (owners.first()?, owners.last().filter(|_| owners.len() > 1)?);
    let column = map.columns.get(&Field::Kind).map_or("", String::as_str);
    let reason = format!(
        "{}: the rows of {:?} and {:?} would be the owner's, who has one name and gives no stars",
        printable(column),
        printable(first),
        printable(second)
    );
    let help = "if they are customers' reviews, leave the column out";
    Some(Refusal::new(reason, help).answered_by(columns::without(map, Field::Kind)))
}
