//! Style sheet, script and pictures of the pages. Each has a hash of its bytes in its name, so that caches keep it for
//! a year: other bytes have another name.

use std::{collections::BTreeSet, sync::Arc};

use minijinja::{Error, ErrorKind};
use serde::Serialize;

use super::{
    CSS, JAVASCRIPT, SVG, colour,
    picture::{PNG, icon_svg, star_path, touch_icon},
    routes::Routes,
    templates,
};
use crate::document::{Body, Document};
use content::{
    Appearance, Photo,
    dataset::Dataset,
    theme::{CUSTOM_STYLE, PROOF_SCRIPTS},
};
use contract::{compress::Effort, etag::ETag, fields::HASH_DIGITS};

/// The photograph at the top of the first page, among the assets.
pub(super) const PHOTO: &str = "photo";
/// The width of the version for browsers that know no `srcset`, in dots.
const USUAL: u32 = 960;

/// The name of the picture of the QR code.
pub(super) const CODE: &str = "review-us.svg";

/// One asset.
#[derive(Debug)]
struct Asset {
    /// The name in templates: `style.css`.
    name: String,
    /// The path with the hash, below `base_url`.
    path: String,
    media_type: &'static str,
    bytes: Arc<[u8]>,
}

/// The attributes of a photograph's element.
#[derive(Debug, Serialize)]
pub(super) struct PhotoView {
    pub(super) src: String,
    pub(super) srcset: String,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// The files that pages link to.
#[derive(Debug)]
pub(super) struct Assets(Vec<Asset>);

impl Assets {
    /// Returns the assets of a site with this appearance, with a transparency log or without one, and with a QR `code` if
    /// it takes reviews.
    pub(super) fn of(
        appearance: &Appearance,
        has_log: bool,
        code: Option<String>,
        routes: &Routes,
    ) -> Self {
        let light = colour::accents(appearance.accent)[0].clone();
        let mut style =
            templates::asset(appearance, "style.css").replace("star-path", &star_path());
        for (name, colour) in colour::tokens(appearance.accent) {
            style = style.replace(name, &colour);
        }
        style.push_str(appearance.templates.get(CUSTOM_STYLE).map_or("", |own| &own.text));
        let script = |name| templates::asset(appearance, name).as_bytes().to_vec();
        let mut files = vec![
            ("style.css".to_owned(), CSS, style.into_bytes()),
            ("open.js".to_owned(), JAVASCRIPT, script("open.js")),
            ("scan.js".to_owned(), JAVASCRIPT, script("scan.js")),
            ("index.js".to_owned(), JAVASCRIPT, script("index.js")),
            ("variants.js".to_owned(), JAVASCRIPT, script("variants.js")),
            ("result.js".to_owned(), JAVASCRIPT, script("result.js")),
            ("search.js".to_owned(), JAVASCRIPT, script("search.js")),
            ("icon.svg".to_owned(), SVG, icon_svg(&light).into_bytes()),
            ("touch-icon.png".to_owned(), PNG, touch_icon(colour::light(appearance.accent))),
        ];
        files.extend(code.map(|code| (CODE.to_owned(), SVG, code.into_bytes())));
        if has_log {
            files.extend(PROOF_SCRIPTS.map(|name| (name.to_owned(), JAVASCRIPT, script(name))));
        }
        if let Some(logo) = &appearance.logo {
            files.push((format!("logo.{}", logo.extension), logo.media_type, logo.bytes.clone()));
        }
        for (id, (photo, _)) in &appearance.photos {
            files.push((photo.asset_of(id), photo.media_type, photo.bytes.clone()));
        }
        let asset = |(name, media_type, bytes): (String, &'static str, Vec<u8>)| Asset {
            path: routes.page(&format!("assets/{}", hashed(&name, &bytes))),
            name,
            media_type,
            bytes: bytes.into(),
        };
        let mut assets: Vec<Asset> = files.into_iter().map(asset).collect();
        let shown = appearance.shown.iter().map(|(path, photo)| (path.as_str(), photo));
        for (name, photo) in shown.chain(appearance.photo.iter().map(|photo| (PHOTO, photo))) {
            let file = name.rsplit('/').next().unwrap_or(name);
            let stem = file.split('.').next().unwrap_or(file);
            assets.extend(photo.versions.iter().map(|version| {
                let (extension, media_type) = version.kind();
                let file = format!("{stem}-{}.{extension}", version.width);
                Asset {
                    name: version_of(name, version.width),
                    path: routes.page(&format!("assets/{}", hashed(&file, &version.bytes))),
                    media_type,
                    bytes: version.bytes.as_slice().into(),
                }
            }));
        }
        Self(assets)
    }

    /// Returns how to show a photograph of this name. `file` is the link to its file, which is published too; it is the
    /// largest version, unless it is wider than pages need.
    pub(super) fn photo(
        &self,
        (name, photo): (&str, &Photo),
        file: Option<String>,
        routes: &Routes,
    ) -> Option<PhotoView> {
        let (width, height) = photo.size;
        let versions = photo.versions.iter().map(|version| version.width);
        let linked = |width| Some((width, routes.href(self.path(&version_of(name, width))?)));
        let mut links: Vec<(u32, String)> = versions.filter_map(linked).collect();
        if links.last().is_none_or(|(largest, _)| *largest < Photo::WIDEST) {
            links.extend(file.map(|file| (width, file)));
        }
        let (_, src) = links.iter().find(|(width, _)| *width >= USUAL).or(links.last())?.clone();
        let set: Vec<String> =
            links.iter().map(|(width, link)| format!("{link} {width}w")).collect();
        Some(PhotoView { src, srcset: set.join(", "), width, height })
    }

    /// The path of a file below `base_url`.
    pub(super) fn path(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|asset| asset.name == name).map(|asset| asset.path.as_str())
    }

    /// The path of the logo of a site that has one.
    pub(super) fn logo(&self, data: &Dataset) -> Option<&str> {
        let logo =
            data.site.appearance.logo.as_ref().filter(|_| data.site.appearance.pages.exist())?;
        self.path(&format!("logo.{}", logo.extension))
    }

    /// The path of the largest version of the photograph at the top of the first page.
    pub(super) fn widest_photo(&self, data: &Dataset) -> Option<&str> {
        let version = data.site.appearance.photo.as_ref()?.versions.last()?;
        self.path(&version_of(PHOTO, version.width))
    }

    /// Makes the function `asset` of the templates, which returns the link of a name.
    pub(super) fn function(
        &self,
        routes: &Routes,
    ) -> impl Fn(&str) -> Result<String, Error> + Send + Sync + use<> {
        let links: Vec<(String, String)> =
            self.0.iter().map(|asset| (asset.name.clone(), routes.href(&asset.path))).collect();
        move |name| {
            let found = links.iter().find(|(known, _)| known == name);
            found.map(|(_, link)| link.clone()).ok_or_else(|| {
                let known: Vec<_> = links.iter().map(|(known, _)| known.as_str()).collect();
                let reason = format!("there is no asset {name:?}, only {}", known.join(", "));
                Error::new(ErrorKind::InvalidOperation, reason)
            })
        }
    }

    pub(super) fn documents<'d>(&self) -> Vec<Document<'d>> {
        let document = |asset: &Asset| Document {
            path: asset.path.clone(),
            media_type: asset.media_type,
            links: Vec::new(),
            // Pictures of dots are compressed already.
            effort: match asset.media_type {
                CSS | JAVASCRIPT | SVG => Effort::Best,
                _ => Effort::None,
            },
            body: Body::Bytes(asset.bytes.to_vec()),
        };
        // Versions of two files with the same bytes are one.
        let mut paths = BTreeSet::new();
        self.0.iter().filter(|asset| paths.insert(&asset.path)).map(document).collect()
    }
}

/// The name of one version of a photograph.
fn version_of(name: &str, width: u32) -> String {
    format!("{name} {width}")
}

/// Returns a name with the hash of the bytes: `style.0123456789abcdef.css`.
fn hashed(name: &str, bytes: &[u8]) -> String {
    let tag = ETag::of(bytes);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "bin"));
    format!("{stem}.{}.{extension}", &tag.hex()[..HASH_DIGITS])
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::fields::is_immutable;

    #[test]
    fn every_asset_is_kept_by_caches() {
        let assets =
            Assets::of(&Appearance::default(), true, None, &Routes::at("https://x.example"));
        assert!(assets.0.iter().all(|asset| is_immutable(&asset.path)), "{assets:?}");
    }
}
