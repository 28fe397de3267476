//! The versions of the photographs of the pages.

use std::collections::BTreeMap;

use crate::{
    cache::Cache,
    photo::{Photo, Shown, versions, within},
    site::Site,
};
use contract::problem::Report;
use insights::recall;

/// The media types of pictures that have versions.
const TYPES: [&str; 3] = ["image/jpeg", "image/png", "image/webp"];
/// Maximum width and height of the logo beside a link, in dots.
const LOGO: (u32, u32) = (420, 84);
const HELP: &str = "save it again as JPEG, 1,600 dots wide; candor help invalid-logo says what a picture may contain";

/// Makes the versions of all photographs of the pages, and the small logo; those that an earlier build made are in the cache.
pub(super) fn make(site: &mut Site, cache: &Cache, report: &Report) {
    if !site.appearance.pages.exist() {
        return;
    }
    let made = |bytes: &[u8], shown: Shown| {
        let parts: &[&[u8]] = &[bytes, &[shown as u8]];
        recall::<Result<Photo, String>>(cache, ("photo", parts), || versions(bytes, shown))
    };
    let refuse = |place, message| report.error("invalid-logo", place, message, HELP);
    let looks = &site.appearance;
    let photo = looks.photo_file.as_ref().and_then(|(file, place)| {
        let fault = |reason| refuse(place.clone(), format!("theme.photo: the file {reason}"));
        made(&file.bytes, Shown::AtTop).map_err(fault).ok()
    });
    let mut shown = BTreeMap::new();
    for (page, of, place) in looks.links.iter().filter(|(_, of, _)| of.is_picture) {
        let page = format!("{}{page}", looks.pages.prefix());
        let file = site.picture(&page, &of.address);
        let Some(file) = file.filter(|file| TYPES.contains(&&*file.media_type)) else { continue };
        match made(&file.bytes, Shown::InText) {
            Ok(photo) => drop(shown.insert(file.path.clone(), photo)),
            Err(reason) => {
                refuse(place.clone(), format!("the picture {:?} {reason}", of.address));
            }
        }
    }
    let mut photos = looks.photos.clone();
    for (face, place) in photos.values_mut() {
        if !TYPES.contains(&face.media_type) {
            continue;
        }
        match made(&face.bytes, Shown::Face) {
            Ok(photo) => {
                if let Some(version) = photo.versions.into_iter().next() {
                    (face.extension, face.media_type) = version.kind();
                    face.bytes = version.bytes;
                }
            }
            Err(reason) => refuse(place.clone(), format!("photo: the file {reason}")),
        }
    }
    let small = looks.logo.as_ref().filter(|logo| TYPES.contains(&logo.media_type));
    let small = small.and_then(|logo| {
        let parts: &[&[u8]] = &[&logo.bytes];
        recall(cache, ("small logo", parts), || within(&logo.bytes, LOGO))
    });
    site.appearance.small_logo = small;
    (site.appearance.photo, site.appearance.shown) = (photo, shown);
    site.appearance.photos = photos;
}
