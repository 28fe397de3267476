//! Limits how much of a JSON document is held at a time: the bytes of one value, and the memory of one element.
//! A document of a few bytes can take a hundred times its size in memory.

use std::{
    cell::Cell,
    fmt,
    io::{self, Read},
};

use serde::{
    Deserializer,
    de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

/// Largest text, number or name: 1 MiB, as a row.
const MAX_VALUE: usize = super::MAX_ROW;
/// Memory that an element may take, such as a place with its reviews: 96 MiB.
const MAX_ELEMENT: usize = 96 << 20;
const VALUE_TOO_LARGE: &str = "a value in it is larger than 1 MiB";
const ELEMENT_TOO_LARGE: &str = "an element of it takes more than 96 MiB of memory";

/// Memory of a value in a list that grows, of a key with its value, and of the first key of an object.
const VALUE: usize = 2 * size_of::<Value>();
const ENTRY: usize = 128;
const OBJECT: usize = 640;

/// The bytes left for the value, and the memory left for the element, that are being read.
#[derive(Debug)]
pub(super) struct Allowance {
    bytes: Cell<usize>,
    memory: Cell<usize>,
    fault: Cell<Option<&'static str>>,
}

impl Allowance {
    pub(super) fn new() -> Self {
        Self { bytes: Cell::new(MAX_VALUE), memory: Cell::new(MAX_ELEMENT), fault: Cell::new(None) }
    }

    /// Returns the reason why the reading ended, if that was the size.
    pub(super) fn fault(&self) -> Option<&'static str> {
        self.fault.get()
    }

    /// Reads an element, and frees the memory that it was charged for.
    pub(super) fn element<T>(&self, read: impl FnOnce() -> T) -> T {
        let before = self.memory.get();
        let done = read();
        self.memory.set(before);
        done
    }

    /// A value was read.
    fn charge<E: de::Error>(&self, memory: usize) -> Result<(), E> {
        self.bytes.set(MAX_VALUE);
        match self.memory.get().checked_sub(memory) {
            Some(left) => {
                self.memory.set(left);
                Ok(())
            }
            None => {
                self.fault.set(Some(ELEMENT_TOO_LARGE));
                Err(E::custom(ELEMENT_TOO_LARGE))
            }
        }
    }
}

/// A document that ends where a value in it is too large.
pub(super) struct Limited<'a, R> {
    pub(super) inner: R,
    pub(super) allowance: &'a Allowance,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.allowance.bytes.get();
        let length = buffer.len().min(left);
        if length < buffer.len() && left == 0 {
            self.allowance.fault.set(Some(VALUE_TOO_LARGE));
        }
        let read = self.inner.read(&mut buffer[..length])?;
        self.allowance.bytes.set(left - read);
        Ok(read)
    }
}

/// Any value.
#[derive(Clone, Copy)]
pub(super) struct AnyValue<'a>(pub(super) &'a Allowance);

impl<'de> DeserializeSeed<'de> for AnyValue<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Makes values of one size.
macro_rules! scalars {
    ($($visit:ident($value:ty);)+) => {
        $(fn $visit<E: de::Error>(self, value: $value) -> Result<Value, E> {
            self.0.charge(VALUE).map(|()| value.into())
        })+
    };
}

impl<'de> Visitor<'de> for AnyValue<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        self.0.charge(VALUE)?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        self.0.charge(VALUE)?;
        let mut cells = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            self.0.charge(key.len() + if cells.is_empty() { OBJECT } else { ENTRY })?;
            let value = map.next_value_seed(self)?;
            insert(&mut cells, key, value)?;
        }
        Ok(Value::Object(cells))
    }

    scalars! {
        visit_bool(bool);
        visit_u64(u64);
        visit_i64(i64);
        visit_f64(f64);
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        self.0.charge(VALUE + value.len()).map(|()| value.into())
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        self.0.charge(VALUE).map(|()| Value::Null)
    }
}

/// Adds a value to an object that has none of this key. RFC 8259 leaves open which of two counts.
pub(super) fn insert<E: de::Error>(
    cells: &mut Map<String, Value>,
    key: String,
    value: Value,
) -> Result<(), E> {
    if cells.contains_key(&key) {
        return Err(E::custom(format_args!("an object has the key {key:?} twice")));
    }
    cells.insert(key, value);
    Ok(())
}

/// A whole document that is held already.
pub(super) fn parse(text: &[u8]) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let value = AnyValue(&Allowance::new()).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}
