//! The schemas of `openapi.json`.

use contract::manifest::Manifest;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value};

use crate::render::{
    changes::Changes, insights::Document as Insights, json_feed::Feed, reviews_json::Reviews,
};

/// Schemas of the written types, each named once.
pub(super) struct Schemas {
    generator: SchemaGenerator,
    sidecar: bool,
}

impl Schemas {
    /// Collects the schemas of a site with a sidecar, or of one without.
    pub(super) fn new(sidecar: bool) -> Self {
        let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        Self { generator: settings.into_generator(), sidecar }
    }

    /// A reference to a type's schema.
    pub(super) fn of<T: JsonSchema>(&mut self) -> Value {
        self.generator.subschema_for::<T>().to_value()
    }

    pub(super) fn reviews(&mut self) -> Value {
        self.of::<Reviews<'_>>()
    }

    pub(super) fn insights(&mut self) -> Value {
        self.of::<Insights<'_>>()
    }

    pub(super) fn feed(&mut self) -> Value {
        self.of::<Feed<'_>>()
    }

    pub(super) fn changes(&mut self) -> Value {
        self.of::<Changes>()
    }

    pub(super) fn manifest(&mut self) -> Value {
        self.of::<Manifest>()
    }

    /// Returns all schemas that were referred to.
    pub(super) fn into_definitions(mut self) -> Map<String, Value> {
        let mut definitions = self.generator.take_definitions(true);
        if !self.sidecar {
            // No subscriber is notified of changes: the feed has no such key.
            definitions.retain(|name, _| name != "JsonFeedHub");
            if let Some(feed) =
                definitions.get_mut("JsonFeed").and_then(|f| f.get_mut("properties"))
            {
                feed.as_object_mut().map(|properties| properties.remove("hubs"));
            }
        }
        definitions
    }
}
