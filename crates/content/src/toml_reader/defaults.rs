//! Puts the keys of one table into another that lacks them.

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// Adds the keys of `defaults` that `table` lacks, and does the same for the tables that both have. Lists are left as
/// they are. The spans of added values move by `offset`.
pub(super) fn add<'t>(table: &mut DeTable<'t>, defaults: DeTable<'t>, offset: usize) {
    for (key, default) in defaults {
        match table.get_mut(key.get_ref().as_ref()).map(Spanned::get_mut) {
            None => drop(table.insert(moved(key, offset), moved_value(default, offset))),
            Some(DeValue::Table(own)) => {
                if let DeValue::Table(default) = default.into_inner() {
                    add(own, default, offset);
                }
            }
            Some(_) => {}
        }
    }
}

fn moved<T>(value: Spanned<T>, offset: usize) -> Spanned<T> {
    let span = value.span();
    Spanned::new(span.start + offset..span.end + offset, value.into_inner())
}

fn moved_value(value: Spanned<DeValue<'_>>, offset: usize) -> Spanned<DeValue<'_>> {
    let span = value.span();
    let value = match value.into_inner() {
        DeValue::Table(table) => DeValue::Table(
            table.into_iter().map(|(k, v)| (moved(k, offset), moved_value(v, offset))).collect(),
        ),
        DeValue::Array(items) => {
            DeValue::Array(items.into_iter().map(|item| moved_value(item, offset)).collect())
        }
        value => value,
    };
    moved(Spanned::new(span, value), offset)
}
