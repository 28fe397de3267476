//! Values that the export of a database puts into an object with their type: Firestore's, DynamoDB's, MongoDB's.

use serde_json::{Map, Value};

use crate::table;

/// Returns a row with such values in place of their objects.
pub(super) fn unwrapped(cells: Map<String, Value>) -> Map<String, Value> {
    cells.into_iter().map(|(key, value)| (key, plain(value))).collect()
}

fn plain(value: Value) -> Value {
    match value {
        Value::Object(mut cells) if cells.len() == 1 => {
            let (key, inner) = cells.iter_mut().next().expect("it has one");
            let inner = inner.take();
            if table::words(table::COLUMNS, "types").any(|name| name == key) {
                return plain(inner);
            }
            Value::Object(Map::from_iter([(key.clone(), plain(inner))]))
        }
        Value::Object(cells) => Value::Object(unwrapped(cells)),
        value => value,
    }
}
