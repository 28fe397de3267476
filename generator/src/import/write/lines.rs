use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use super::{Files, Plan, Stored};
use crate::import::{
    FIRST_STORED, ImportError, Run,
    index::{Index, Node, days},
    store::{Change, Existing, Span},
};
use contract::model::{Day, ReviewId};

/// Stages every file of reviews in which a line changes. Lines that do not change are copied byte for
/// byte; a file is in the order of date and id.
pub(super) fn stage(
    run: &Run<'_>,
    index: &Index,
    existing: &Existing,
    files: &Files,
    plan: &Plan,
) -> Result<Vec<Change>, ImportError> {
    let files_of_lines = FileAssignment::new(run.stage.content(), existing, index, plan);
    let mut contents: BTreeMap<PathBuf, Vec<Entry>> =
        files_of_lines.dirty.iter().map(|path| (path.clone(), Vec::new())).collect();
    let mut put = |path: &Path, entry: Entry| {
        if let Some(entries) = contents.get_mut(path) {
            entries.push(entry);
        }
    };
    for (number, node) in (0..).zip(&index.nodes).filter(|(_, node)| node.is_stored()) {
        let (day, span) = match plan.stored.get(&number) {
            Some(Stored::Removed) => continue,
            Some(Stored::Changed(span, day)) => (days(*day), *span),
            None => (node.day, node.span),
        };
        put(files_of_lines.of(number, node), Entry { day, id: node.id, span });
    }
    for (day, id, span) in &plan.new {
        let entry = Entry { day: days(*day), id: *id, span: *span };
        put(files_of_lines.by_year(day.date().year()), entry);
    }
    let mut changes = Vec::new();
    for (number, (path, entries)) in contents.into_iter().enumerate() {
        run.check_interrupt()?;
        changes.extend(stage_file(run, files, number, path, entries)?);
    }
    let emptied = files_of_lines.arrays.iter().map(|&array| existing.arrays[array].clone());
    changes.extend(emptied.map(|path| Change::Remove { path }));
    Ok(changes)
}

/// A line of a file to be.
#[derive(Clone, Copy, Debug)]
struct Entry {
    day: i32,
    id: ReviewId,
    span: Span,
}

fn stage_file(
    run: &Run<'_>,
    files: &Files,
    number: usize,
    path: PathBuf,
    mut entries: Vec<Entry>,
) -> Result<Option<Change>, ImportError> {
    if entries.is_empty() {
        return Ok(path.exists().then_some(Change::Remove { path }));
    }
    entries.sort_unstable_by_key(|entry| (entry.day, entry.id));
    let staged = run.stage.folder().join(format!("reviews-{number}"));
    let file = File::create(&staged).map_err(ImportError::io(&staged))?;
    let mut out = BufWriter::with_capacity(1 << 18, file);
    let mut line = Vec::new();
    for entry in entries {
        files.line(entry.span, &mut line)?;
        line.push(b'\n');
        out.write_all(&line).map_err(ImportError::io(&staged))?;
    }
    out.flush().map_err(ImportError::io(&staged))?;
    Ok(Some(Change::Replace { staged, path }))
}

/// Which file each review stands in afterwards.
struct FileAssignment<'a> {
    existing: &'a Existing,
    plan: &'a Plan,
    years: HashMap<i16, PathBuf>,
    /// Files in which a line changes.
    dirty: BTreeSet<PathBuf>,
    /// Arrays in which something changes: their reviews move to the files of their years.
    arrays: BTreeSet<usize>,
}

impl<'a> FileAssignment<'a> {
    fn new(content: &Path, existing: &'a Existing, index: &Index, plan: &'a Plan) -> Self {
        let folder = content.join("reviews");
        let year = |day: i32| Day::from(date_of(day)).date().year();
        let stored_years = index.nodes.iter().filter(|n| n.is_stored()).map(|n| year(n.day));
        let changed_years = plan.stored.values().filter_map(|stored| match stored {
            Stored::Changed(_, day) => Some(day.date().year()),
            Stored::Removed => None,
        });
        let new_years = plan.new.iter().map(|(day, ..)| day.date().year());
        let years = stored_years
            .chain(changed_years)
            .chain(new_years)
            .collect::<BTreeSet<i16>>()
            .into_iter()
            .map(|year| (year, folder.join(format!("{year:04}.ndjson"))))
            .collect();
        let arrays =
            plan.stored.keys().filter_map(|&n| array_of(&index.nodes[n as usize])).collect();
        let mut files_of_lines = Self { existing, plan, years, dirty: BTreeSet::new(), arrays };
        let mut dirty = BTreeSet::new();
        for &number in plan.stored.keys() {
            let node = &index.nodes[number as usize];
            dirty.insert(files_of_lines.of(number, node).to_owned());
            dirty.extend(files_of_lines.was(node).map(Path::to_owned));
        }
        for (number, node) in (0..).zip(&index.nodes) {
            if array_of(node).is_some_and(|array| files_of_lines.arrays.contains(&array)) {
                dirty.insert(files_of_lines.of(number, node).to_owned());
            }
        }
        dirty.extend(
            plan.new.iter().map(|(day, ..)| files_of_lines.by_year(day.date().year()).to_owned()),
        );
        files_of_lines.dirty = dirty;
        files_of_lines
    }

    fn by_year(&self, year: i16) -> &Path {
        self.years.get(&year).map_or(Path::new(""), PathBuf::as_path)
    }

    /// The file of lines it stands in now.
    fn was(&self, node: &Node) -> Option<&Path> {
        let is_array = array_of(node).is_some();
        let number = node.span.file.checked_sub(FIRST_STORED).filter(|_| !is_array)?;
        self.existing.lines.get(number as usize).map(PathBuf::as_path)
    }

    /// Where it is, unless its date has moved out of its year's file, or it is leaving an array.
    fn of(&self, number: u32, node: &Node) -> &Path {
        let before = date_of(node.day).year();
        let after = match self.plan.stored.get(&number) {
            Some(Stored::Changed(_, day)) => day.date().year(),
            _ => before,
        };
        match self.was(node) {
            Some(path) if before == after || path != self.by_year(before) => path,
            _ => self.by_year(after),
        }
    }
}

fn array_of(node: &Node) -> Option<usize> {
    (node.is_stored() && node.file != u32::MAX).then_some(node.file as usize)
}

fn date_of(day: i32) -> jiff::civil::Date {
    let epoch = jiff::civil::Date::constant(1970, 1, 1);
    epoch.checked_add(jiff::Span::new().days(day)).unwrap_or(epoch)
}
