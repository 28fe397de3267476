//! Photographs: the sizes in which pages show them, and what is left out of them.

use image::{
    DynamicImage, GenericImageView, ImageEncoder, ImageFormat, Rgb, RgbImage, RgbaImage,
    codecs::jpeg::JpegEncoder,
};

use super::{
    incremental::stages,
    project::{Project, SITE},
    review::mixed,
};

/// An invented photograph: two colours, left and right, with grain.
fn dots(width: u32, height: u32) -> RgbImage {
    let mut grain = 1_u32;
    RgbImage::from_fn(width, height, |x, _| {
        grain = grain.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let bright = 100 + (grain >> 27) as u8;
        if 2 * x < width { Rgb([bright, 20, 20]) } else { Rgb([20, 20, bright]) }
    })
}

pub(super) fn encoded(dots: &RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    dots.write_to(&mut bytes, format).expect("a picture in memory");
    bytes.into_inner()
}

pub(super) fn jpeg(width: u32, height: u32) -> Vec<u8> {
    encoded(&dots(width, height), ImageFormat::Jpeg)
}

/// A JPEG that is turned by a quarter, with words where cameras write the place.
fn from_a_telephone(width: u32, height: u32) -> Vec<u8> {
    // Two entries: the orientation is 6, and the maker is the text behind them.
    let orientation = b"\x12\x01\x03\0\x01\0\0\0\x06\0\0\0";
    let maker = b"\x0f\x01\x02\0\x0b\0\0\0\x26\0\0\0";
    let exif =
        [&b"II*\0\x08\0\0\0\x02\0"[..], maker, orientation, b"\0\0\0\0GPS-SECRET\0"].concat();
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 90);
    encoder.set_exif_metadata(exif).unwrap();
    encoder
        .write_image(&dots(width, height), width, height, image::ExtendedColorType::Rgb8)
        .unwrap();
    bytes
}

fn with_photo(name: &str, bytes: impl AsRef<[u8]>) -> Project {
    Project::new()
        .reviews(mixed(3))
        .file("content/site.toml", format!("{SITE}[theme]\nphoto = \"{name}\"\n"))
        .file(&format!("content/{name}"), bytes)
}

/// The links of `srcset`, with their widths.
fn srcset(html: &str) -> Vec<(String, u32)> {
    let (_, rest) = html.split_once(" srcset=\"").unwrap_or_default();
    let set = rest.split('"').next().unwrap_or_default();
    let link = |part: &str| {
        let (link, width) = part.split_once(' ')?;
        Some((link.to_owned(), width.trim_end_matches('w').parse().ok()?))
    };
    set.split(", ").filter_map(link).collect()
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|it| it == part)
}

#[test]
fn a_photo_is_upright_in_several_sizes_without_what_else_the_file_says() {
    let file = from_a_telephone(1_200, 1_000);
    assert!(has(&file, b"GPS-SECRET"));
    let project = with_photo("photos/van.jpg", &file);
    project.candor(["check", "--strict"]).exits(0);
    project.build();
    let home = project.text("public/index.html");
    let (_, photo) =
        home.split_once("<section class=\"hero\">\n<img class=\"hero-photo\" ").unwrap();
    let photo = photo.split('>').next().unwrap();
    for part in [
        "alt=\"\" width=\"1000\" height=\"1200\" fetchpriority=\"high\"",
        "sizes=\"(min-width: 62em) 46vw, 100vw\"",
    ] {
        assert!(photo.contains(part), "{part} is not in {photo}");
    }
    let links = srcset(photo);
    assert_eq!(links.iter().map(|(_, width)| *width).collect::<Vec<_>>(), [480, 960, 1_000]);
    assert!(photo.contains(&format!("src=\"{}\"", links[1].0)), "{photo}");
    let image = format!("\"image\":\"https://reviews.example{}\"", links[2].0);
    assert!(home.contains(&image), "the JSON-LD has no {image}");
    let manifest = project.manifest();
    for (link, width) in &links {
        let path = link.trim_start_matches('/');
        let entry = manifest.files.iter().find(|entry| entry.path == path).unwrap();
        assert_eq!((&*entry.media_type, entry.encodings.len()), ("image/jpeg", 0));
        let bytes = project.bytes(&format!("public/{path}"));
        assert!(!has(&bytes, b"SECRET") && !has(&bytes, b"Exif"), "{path}");
        let version = image::load_from_memory(&bytes).unwrap();
        assert_eq!(version.dimensions(), (*width, width * 6 / 5));
        // What was on the left of the file is above, and what was on the right is below.
        let [top, bottom] = [10, version.height() - 10].map(|y| version.get_pixel(width / 2, y).0);
        assert!(
            top[0] > 80 && top[2] < 50 && bottom[0] < 50 && bottom[2] > 80,
            "{top:?} {bottom:?}"
        );
    }
    let originals = manifest.files.iter().filter(|it| it.media_type == "image/jpeg");
    assert_eq!(originals.count(), 3, "the file itself is not published");
    project.assert_whole();
}

/// How often a build made photographs smaller.
fn made(project: &Project) -> u64 {
    stages(project)["make photographs smaller"]["count"].as_u64().unwrap_or(0)
}

#[test]
fn what_an_earlier_build_made_smaller_is_used_again_and_every_build_has_the_same_bytes() {
    let project = with_photo("photos/van.jpg", jpeg(700, 500))
        .file("content/static/shop.png", encoded(&dots(600, 90), ImageFormat::Png))
        .file("content/pages/shop.md", "+++\ntitle = \"Shop\"\n+++\n\n![Our shop](/shop.png)\n");
    assert_eq!(made(&project), 2);
    let before = project.tree("public/assets");
    project.write_reviews(mixed(5));
    assert_eq!(made(&project), 0);
    assert_eq!(project.tree("public/assets"), before);
    project.write("content/photos/van.jpg", jpeg(700, 501));
    assert_eq!(made(&project), 1);
    project.write("content/photos/van.jpg", jpeg(700, 500));
    project.remove(".candor-cache/build");
    assert_eq!(made(&project), 2);
    assert_eq!(project.tree("public/assets"), before);
}

#[test]
fn a_photo_in_an_own_page_has_smaller_versions_and_the_file_is_the_largest() {
    let photo = jpeg(1_100, 550);
    let plain = encoded(&RgbImage::new(400, 200), ImageFormat::Png);
    let wide = jpeg(2_400, 24);
    let glass = encoded_rgba(&RgbaImage::new(600, 300));
    let webp = encoded(&dots(520, 260), ImageFormat::WebP);
    let text = "![van](../img/van.jpg) ![plan](/plan.png) ![row](/row.jpg) ![glass](/glass.png) ![w](/w.webp)";
    let project = Project::new()
        .file("content/pages/us.md", format!("+++\ntitle = \"Us\"\n+++\n\n{text}\n"))
        .file("content/static/img/van.jpg", &photo)
        .file("content/static/plan.png", &plain)
        .file("content/static/row.jpg", &wide)
        .file("content/static/glass.png", &glass)
        .file("content/static/w.webp", webp);
    project.candor(["check", "--strict"]).exits(0);
    project.build();
    let html = project.text("public/us/index.html");
    let pictures: Vec<&str> =
        html.split("<img ").skip(1).filter(|it| it.contains("lazy")).collect();
    let widths = |at: usize| srcset(pictures[at]).iter().map(|it| it.1).collect::<Vec<_>>();
    assert_eq!(widths(0), [480, 960, 1_100]);
    assert_eq!(srcset(pictures[0])[2].0, "/img/van.jpg");
    assert!(pictures[0].contains("sizes=\"(min-width: 48em) 46rem, 100vw\" width=\"1100\" height=\"550\" loading=\"lazy\" alt=\"van\">"), "{}", pictures[0]);
    assert_eq!(project.bytes("public/img/van.jpg"), photo);
    // A picture that is wider than the text keeps its shape.
    let style = project.text(&project.asset("style.css"));
    assert!(style.contains("\n.prose img { block-size: auto; }\n"));
    // A drawing is small as it is, and one that is partly transparent stays so.
    for (at, name, size) in [(1, "plan", (400, 200)), (3, "glass", (600, 300))] {
        let start =
            format!("src=\"/{name}.png\" width=\"{}\" height=\"{}\" loading", size.0, size.1);
        assert!(pictures[at].starts_with(&start), "{}", pictures[at]);
    }
    // The file is wider than any page needs.
    assert_eq!(widths(2), [480, 960, 1_600]);
    assert!(srcset(pictures[2])[2].0.starts_with("/assets/row-1600."));
    assert_eq!(widths(4), [480, 520]);
    for (link, width) in srcset(pictures[4]).iter().take(1) {
        let version = image::load_from_memory(&project.bytes(&format!("public{link}"))).unwrap();
        assert_eq!((version.width(), link.ends_with(".jpg")), (*width, true));
    }
    project.assert_whole();
}

#[test]
fn a_face_is_a_small_upright_picture_without_what_else_the_file_says() {
    let technicians = "[[technician]]\nid = \"sam\"\nname = \"Sam\"\nphoto = \"sam.jpg\"\n[[technician]]\nid = \"kim\"\nname = \"Kim\"\nphoto = \"kim.png\"\n[[technician]]\nid = \"lou\"\nname = \"Lou\"\nphoto = \"lou.svg\"\n";
    let drawing = b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    let project = Project::new()
        .reviews(mixed(3))
        .file("content/technicians.toml", technicians)
        .file("content/sam.jpg", from_a_telephone(1_200, 1_000))
        .file("content/kim.png", encoded_rgba(&RgbaImage::new(90, 60)))
        .file("content/lou.svg", drawing);
    project.candor(["check", "--strict"]).exits(0);
    project.build();
    let shown = |name: &str| project.bytes(&project.asset(name));
    let sam = shown("photo-sam.jpg");
    assert!(!has(&sam, b"SECRET") && !has(&sam, b"Exif"));
    assert_eq!(image::load_from_memory(&sam).unwrap().dimensions(), (288, 345));
    // What is transparent is white.
    let kim = image::load_from_memory(&shown("photo-kim.png")).unwrap();
    assert_eq!((kim.dimensions(), kim.get_pixel(5, 5).0), ((90, 60), [255; 4]));
    assert!(has(&shown("photo-lou.svg"), b"<svg "));
    project.assert_whole();
    for (bytes, reason) in [
        (bomb(80, 50), "photo: the file cannot be decoded: "),
        (
            vec![b'<'; 26 << 20],
            "technician[1].photo: \"kim.png\" has 26624 KiB; name a file of the content folder that is png, webp or jpg and below 25 MiB, or svg and below 100 KiB; ",
        ),
    ] {
        project.write("content/kim.png", bytes);
        let place = "content/technicians.toml:8:9: error[invalid-logo]: ";
        project.candor(["check"]).exits(1).complains(&format!("{place}{reason}"));
    }
}

fn encoded_rgba(dots: &RgbaImage) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    DynamicImage::from(dots.clone()).write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// A PNG that says it has so many dots, and has none.
fn bomb(width: u32, height: u32) -> Vec<u8> {
    let head =
        [&b"IHDR"[..], &width.to_be_bytes(), &height.to_be_bytes(), b"\x08\x02\0\0\0"].concat();
    let mut sum = flate2::Crc::new();
    sum.update(&head);
    let start = b"\x89PNG\r\n\x1a\n\0\0\0\r";
    let end = b"\0\0\0\0IDAT\x35\xaf\x06\x1e\0\0\0\0IEND\xaeB`\x82";
    [&start[..], &head, &sum.sum().to_be_bytes(), end].concat()
}

#[test]
fn a_picture_that_cannot_be_made_smaller_is_an_error_with_reason_and_remedy() {
    let remedy = "; save it again as JPEG, 1,600 dots wide; candor help invalid-logo says";
    let most = "at most 40 million dots, and 12000 on a side, are decoded";
    let too_large = format!("has 8000 × 5001 dots; {most}");
    let place = "content/site.toml:6:9: error[invalid-logo]: theme.photo: ";
    for (name, bytes, reason) in [
        ("van.png", bomb(1, 12_001), format!("the file has 1 × 12001 dots; {most}{remedy}")),
        ("van.png", bomb(8_000, 5_001), format!("the file {too_large}{remedy}")),
        ("van.jpg", jpeg(80, 50)[..400].iter().chain(b"\xff\xda\xff\xd9").copied().collect(), "the file cannot be decoded: ".to_owned()),
        ("van.png", bomb(80, 50), "the file cannot be decoded: ".to_owned()),
        ("van.svg", b"<svg/>".to_vec(), "\"van.svg\" is none of png, webp and jpg; name a file of the content folder that is png, webp or jpg and below 25 MiB; ".to_owned()),
        ("van.png", b"GIF89a".to_vec(), "\"van.png\" is not a png picture inside".to_owned()),
    ] {
        let project = with_photo(name, bytes);
        project.candor(["check"]).exits(1).complains(&format!("{place}{reason}"));
        // The reason is one that the cache keeps too.
        let run = project.candor(["build"]).exits(1);
        run.complains(&format!("{place}{reason}"));
    }
    let page = "+++\ntitle = \"Us\"\n+++\n\n![van](/van.png)\n";
    let project = Project::new()
        .file("content/pages/us.md", page)
        .file("content/static/van.png", bomb(8_000, 5_001));
    project.candor(["check"]).exits(1).complains(&format!(
        "content/pages/us.md:5:8: error[invalid-logo]: the picture \"/van.png\" {too_large}{remedy}"
    ));
    // No page shows it: it is a file as any other.
    project.write("content/pages/us.md", "+++\ntitle = \"Us\"\n+++\n\nWords\n");
    project.candor(["check", "--strict"]).exits(0);
}

/// The picture beside links, of a site with this logo.
fn shared(name: &str, logo: &[u8]) -> RgbImage {
    let project = Project::new()
        .reviews(mixed(3))
        .file("content/site.toml", format!("{SITE}[theme]\nlogo = \"{name}\"\n"))
        .file(&format!("content/{name}"), logo);
    project.build();
    image::load_from_memory(&project.bytes("public/share.png")).expect("a picture").into_rgb8()
}

#[test]
fn the_picture_beside_links_has_a_logo_of_dots_and_no_text_below_it() {
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    let star = shared("logo.svg", svg);
    // Red dots, of which the right half is transparent, in each format and shape.
    let mut red = RgbaImage::from_pixel(100, 100, image::Rgba([200, 0, 0, 255]));
    (50..100).for_each(|x| (0..100).for_each(|y| red.put_pixel(x, y, image::Rgba([0, 0, 255, 0]))));
    let wide = RgbImage::from_pixel(2_000, 40, Rgb([200, 0, 0]));
    let small = RgbImage::from_pixel(20, 20, Rgb([200, 0, 0]));
    for (name, bytes, [left, top, right, bottom]) in [
        ("logo.png", encoded_rgba(&red), [80, 74, 122, 158]),
        ("logo.webp", encoded(&wide, ImageFormat::WebP), [80, 112, 500, 120]),
        ("logo.jpg", encoded(&small, ImageFormat::Jpeg), [80, 106, 100, 126]),
    ] {
        let picture = shared(name, &bytes);
        let is_red = |x: u32, y: u32| {
            let Rgb([red, green, blue]) = *picture.get_pixel(x, y);
            red > 180 && green < 40 && blue < 40
        };
        for y in 70_u32..165 {
            for x in 70_u32..520 {
                let is_inside = (left..right).contains(&x) && (top..bottom).contains(&y);
                let is_edge = [left, right].iter().any(|edge| x.abs_diff(*edge) < 2)
                    || [top, bottom].iter().any(|edge| y.abs_diff(*edge) < 2);
                assert!(
                    is_edge || is_red(x, y) == is_inside,
                    "{name} {x} {y} {:?}",
                    picture.get_pixel(x, y)
                );
            }
        }
        // Below it everything is as without a logo.
        let differs = |y: u32| (0..1_200).any(|x| picture.get_pixel(x, y) != star.get_pixel(x, y));
        assert!((160..630).all(|y| !differs(y)), "{name}");
    }
    // What cannot be decoded leaves the star there.
    assert_eq!(shared("logo.png", &bomb(80, 50)), star);
}
