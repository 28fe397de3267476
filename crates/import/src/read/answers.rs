//! Answers that are rows of their own: whose they are, and which review each answers.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::{columns, error::Refusal, node::Node};
use content::{ColumnMap, Field};
use contract::{
    model::OwnerReply,
    text::{fold, printable},
};

/// An answer that is a row of its own.
pub(super) struct Answer {
    /// The id of the review.
    pub(super) id: String,
    /// The account that wrote it, or else the author.
    pub(super) account: Option<String>,
    pub(super) author: Option<String>,
    /// Whether the row says that the owner wrote it.
    pub(super) is_owners: bool,
    pub(super) reply: OwnerReply,
}

/// Gives the rows the answers that the owner wrote, and returns whether there is one. `has_accounts`: the file has them.
pub(super) fn give(answers: Vec<Answer>, rows: &mut [Node], has_accounts: bool) -> bool {
    // The shop writes no reviews; customers answer each other, too, and themselves, as guests or not.
    let reviews = rows.iter().filter_map(|row| Some(&row.row()?.review));
    let customers: HashSet<String> = reviews
        .flat_map(|review| [&review.author_id, &review.author])
        .flatten()
        .map(|name| fold(name))
        .collect();
    let mut answered = BTreeMap::<&str, BTreeSet<&str>>::new();
    for Answer { id, account, author, .. } in &answers {
        let is_customer = |name: &String| customers.contains(&fold(name));
        if let Some(account) = account
            && ![account].into_iter().chain(author).any(is_customer)
        {
            answered.entry(account).or_default().insert(id);
        }
    }
    // Without accounts one answer is not enough.
    let is_only = has_accounts && answered.len() == 1;
    let several = answered.into_iter().filter(|(_, reviews)| is_only || reviews.len() > 1);
    let several: Vec<String> = several.map(|(account, _)| account.to_owned()).collect();
    let shop = several.first().filter(|_| several.len() == 1);
    let of_owner = answers.into_iter().filter(|answer| {
        answer.is_owners || answer.account.as_ref().is_some_and(|it| Some(it) == shop)
    });
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
