//! Lists of lists, as spreadsheets and data frames are written.

use serde_json::Value;

/// A list of lists: the first one has the names of the columns, each other one a row.
#[derive(Default)]
pub(super) struct ArrayTable {
    columns: Option<Vec<String>>,
}

impl ArrayTable {
    /// A table with these names of columns, if they are a list of such.
    pub(super) fn with_columns(names: Option<&Value>) -> Self {
        let names = names.and_then(Value::as_array).filter(|names| !names.is_empty());
        let name = |name: &Value| name.as_str().map(str::to_owned);
        Self { columns: names.and_then(|names| names.iter().map(name).collect()) }
    }

    /// The object of a row; `None` for the names of the columns. A row of another length becomes a text, which is refused.
    pub(super) fn row(&mut self, item: Value) -> Option<Value> {
        match (item, &self.columns) {
            (Value::Array(cells), Some(columns)) if cells.len() != columns.len() => {
                let (cells, columns) = (cells.len(), columns.len());
                Some(Value::String(format!("a row of {cells} cells for {columns} columns")))
            }
            (Value::Array(cells), Some(columns)) => {
                Some(Value::Object(columns.iter().cloned().zip(cells).collect()))
            }
            (item @ Value::Array(_), None) => {
                *self = Self::with_columns(Some(&item));
                self.columns.is_none().then_some(item)
            }
            (item, _) => Some(item),
        }
    }
}
