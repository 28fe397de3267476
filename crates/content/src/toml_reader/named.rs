//! Reads tables whose names the author of the file chooses.

use std::ops::Range;

use super::TomlTable;

impl<'a> TomlTable<'a> {
    /// Reads each `[name]` of a file whose tables are named by its author.
    pub(crate) fn named_tables<T>(
        &self,
        mut read: impl FnMut(&str, &TomlTable<'_>) -> Option<T>,
    ) -> Vec<T> {
        let mut values = Vec::new();
        for (name, value) in self.table {
            let Some(table) = value.get_ref().as_table() else {
                let message = format!("{} stands outside a table", name.get_ref());
                let help = "put it below the [id] it belongs to";
                self.file.report.error("unknown-key", self.file.place(name.span()), message, help);
                continue;
            };
            let table = TomlTable::new(self.file, table, name.get_ref().to_string(), name.span());
            values.extend(read(name.get_ref(), &table));
            table.report_unknown();
        }
        values
    }

    /// Reads each table whose key was not asked for, with its key and the key's place: the author
    /// chooses the names.
    pub(crate) fn other_tables<T>(
        &self,
        mut read: impl FnMut(&TomlTable<'_>) -> Option<T>,
    ) -> Vec<(String, Range<usize>, T)> {
        let mut values = Vec::new();
        for (key, value) in self.table {
            let name: &'a str = key.get_ref();
            let Some(table) = value.get_ref().as_table() else { continue };
            if self.known.borrow().contains(&name) {
                continue;
            }
            self.known.borrow_mut().push(name);
            let table = TomlTable::new(self.file, table, self.full(name), value.span());
            values.extend(read(&table).map(|value| (name.to_owned(), key.span(), value)));
            table.report_unknown();
        }
        values
    }
}
