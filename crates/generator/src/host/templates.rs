//! The templates of the host files: each has the form of the file, filled from [`HostSite`] alone.
//!
//! Nothing is escaped automatically, because every format has its own rules: a template names the filter of its format
//! (see [`super::escape`]) for every value that could be read as syntax.

use minijinja::{
    AutoEscape, Environment, Error, UndefinedBehavior, Value, context, syntax::SyntaxConfig,
    value::Serde,
};

use super::{HostFile, HostSite, escape};

macro_rules! templates {
    ($($name:literal),+ $(,)?) => {
        /// The templates by name, which is the name of the file without its last extension.
        const TEMPLATES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("templates/", $name, ".j2")))),+];
    };
}

templates!(
    "_headers",
    "apache/_route.conf",
    "apache/_sidecar.conf",
    "apache/candor-tags.txt",
    "apache/candor.conf",
    "apache/site.conf",
    "caddy/Caddyfile",
    "caddy/_route.caddyfile",
    "caddy/candor.caddyfile",
    "cloudflare/pages.wrangler.jsonc",
    "cloudflare/site.mjs",
    "cloudflare/wrangler.jsonc",
    "htaccess/.htaccess",
    "netlify/_redirects",
    "netlify/netlify.toml",
    "nginx/_route.conf",
    "nginx/candor-hashes.conf",
    "nginx/candor-maps.conf",
    "nginx/candor-server.conf",
    "nginx/site.conf",
    "s3/cloudformation.json",
    "s3/request.js",
    "s3/response.js",
    "s3/upload.sh",
    "upload.sh",
    "vercel/vercel.json",
);

/// The templates, and the site that fills them.
#[derive(Debug)]
pub(super) struct Templates {
    environment: Environment<'static>,
    site: Value,
}

impl Templates {
    /// Compiles the templates for a site.
    ///
    /// # Errors
    /// When a template cannot be compiled.
    pub(super) fn new(site: &HostSite<'_>) -> Result<Self, Error> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_syntax(
            SyntaxConfig::builder()
                .trim_blocks(true)
                .lstrip_blocks(true)
                .keep_trailing_newline(true)
                .build()?,
        );
        escape::add_filters(&mut environment);
        for (name, source) in TEMPLATES {
            environment.add_template(name, source)?;
        }
        Ok(Self { environment, site: Value::from(Serde(site)) })
    }

    /// Renders a template.
    ///
    /// # Errors
    /// When the template names a value that the site does not have.
    pub(super) fn render(&self, name: &str) -> Result<String, Error> {
        self.environment.get_template(name)?.render(self.site.clone())
    }

    /// Renders files of a host, each from the template of its name.
    ///
    /// # Errors
    /// When a template names a value that the site does not have.
    pub(super) fn files(&self, host: &str, names: &[&str]) -> Result<Vec<HostFile>, Error> {
        let file = |name: &&str| Ok(HostFile::new(*name, self.render(&format!("{host}/{name}"))?));
        names.iter().map(file).collect()
    }

    /// Renders a template with more values than the site: `more` is a map of values.
    ///
    /// # Errors
    /// When the template names a value that neither has.
    pub(super) fn render_with(&self, name: &str, more: Value) -> Result<String, Error> {
        self.environment.get_template(name)?.render(context! { ..more, ..self.site.clone() })
    }
}
