//! The outermost value of a document, element by element.

use std::{fmt, ops::ControlFlow, rc::Rc};

use serde::{
    Deserializer,
    de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor},
};
use serde_json::Value;

use super::{
    ArrayTable, Keyed, REVIEWS_OF_PLACE, expand, has_rating, is_around, is_list, is_node, is_own,
    leave_out, with_reviews,
};
use crate::{
    rows::{
        Cells, LIST_KEY, RowLocation, Rows,
        allowance::{Allowance, AnyValue, insert},
    },
    status::Status,
    table,
};

/// The outermost value.
pub(super) struct JsonRoot<'r> {
    pub(super) rows: &'r mut dyn Rows,
    pub(super) stopped: &'r mut bool,
    pub(super) allowance: &'r Allowance,
}

impl<'de> DeserializeSeed<'de> for JsonRoot<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonRoot<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of reviews or an object that holds one")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        let Self { rows, stopped, allowance } = self;
        let table = ArrayTable::default();
        List { pointer: "", rows, stopped, allowance, table }.visit_seq(seq).map(drop)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { rows, stopped, allowance } = self;
        let mut header = Cells::new();
        let mut lists = 0;
        while let Some(key) = map.next_key::<String>()? {
            rows.key(&key);
            // Its lists hold reviews, or places with reviews.
            if !table::words(table::COLUMNS, "lists").any(|list| key.eq_ignore_ascii_case(list)) {
                let value = map.next_value_seed(AnyValue(allowance))?;
                insert(&mut header, key, value)?;
                continue;
            }
            let pointer = format!("/{key}");
            let table = ArrayTable::with_columns(header.get("columns"));
            let list = List { pointer: &pointer, rows, stopped, allowance, table };
            let rest = map.next_value_seed(list)?;
            match rest {
                None => lists += 1,
                Some(Value::Object(cells)) if holds_reviews(&cells) => {
                    lists += 1;
                    go_on(
                        expand(Value::Object(cells), &pointer, RowLocation::Document, None, rows),
                        stopped,
                    )?;
                }
                Some(value) => drop(header.insert(key, value)),
            }
        }
        rows.header(&header);
        let only = only_list(&header).filter(|_| lists == 0);
        if lists == 0 && only.is_none() && !header.is_empty() {
            let whole = Value::Object(header);
            return go_on(expand(whole, "", RowLocation::Document, None, rows), stopped);
        }
        // Reviews beside those of a known list are reviews, too. What is around them is around all.
        let is_around = only.is_some();
        let others = with_reviews(&header).filter(|key| Some(key) != only.as_ref());
        let (own, foreign): (Vec<String>, _) = others.partition(|key| is_own(key, &header));
        leave_out(foreign, &mut header, &RowLocation::Document, rows);
        for key in only.into_iter().chain(own) {
            let value = header.remove(&key).unwrap_or_default();
            let pointer = format!("/{key}");
            let place = is_around.then_some(&header);
            // "spam" beside "reviews"
            let status = Status::of_list(&key);
            let flow = if status.is_some_and(|status| status != Status::Shown) {
                let rows = &mut Keyed { rows: &mut *rows, key: &key, column: LIST_KEY };
                expand(value, &pointer, RowLocation::Document, place, rows)
            } else {
                expand(value, &pointer, RowLocation::Document, place, rows)
            };
            go_on(flow, stopped)?;
        }
        Ok(())
    }
}

/// The key of the only list of objects in a document that is itself no review and holds none in a known list.
fn only_list(cells: &Cells) -> Option<String> {
    if is_node(cells) || has_rating(cells) || is_around(cells, 1) {
        return None;
    }
    let mut lists = cells.iter().filter(|(_, value)| {
        is_list(value) && value.as_array().is_some_and(|items| !items.is_empty())
    });
    let (key, _) = lists.next()?;
    lists.next().is_none().then(|| key.clone())
}

fn holds_reviews(cells: &Cells) -> bool {
    is_node(cells) || REVIEWS_OF_PLACE.iter().any(|key| cells.get(*key).is_some_and(is_list))
}

/// A list that is read element by element; any other value is returned.
struct List<'r> {
    pointer: &'r str,
    rows: &'r mut dyn Rows,
    stopped: &'r mut bool,
    allowance: &'r Allowance,
    table: ArrayTable,
}

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = Option<Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Passes on what is not a list.
macro_rules! others {
    ($($visit:ident($value:ty);)+) => {
        $(fn $visit<E: de::Error>(self, value: $value) -> Result<Self::Value, E> {
            AnyValue(self.allowance).$visit(value).map(Some)
        })+
    };
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = Option<Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<Self::Value, A::Error> {
        let list: Rc<str> = self.pointer.into();
        let any = AnyValue(self.allowance);
        let mut number = 0;
        while self.allowance.element(|| {
            let Some(value) = seq.next_element_seed(any)? else { return Ok(false) };
            let at = RowLocation::Element(list.clone(), number);
            let pointer = format!("{list}/{number}");
            if let Some(value) = self.table.row(value) {
                go_on(expand(value, &pointer, at, None, self.rows), self.stopped)?;
            }
            Ok(true)
        })? {
            number += 1;
        }
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        AnyValue(self.allowance).visit_map(map).map(Some)
    }

    others! {
        visit_bool(bool);
        visit_u64(u64);
        visit_i64(i64);
        visit_f64(f64);
        visit_str(&str);
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        AnyValue(self.allowance).visit_unit().map(Some)
    }
}

/// Ends the parsing by an error when the rows' reader broke off.
fn go_on<E: de::Error>(flow: ControlFlow<()>, stopped: &mut bool) -> Result<(), E> {
    if flow.is_break() {
        *stopped = true;
        return Err(E::custom("stopped"));
    }
    Ok(())
}
