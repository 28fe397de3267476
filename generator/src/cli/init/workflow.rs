//! The workflow that publishes a site to its host. `publish.yml.j2` is the template of `docs/ci/publish.yml`, which a
//! test compares with it.

use docs::{DEPLOY, GITHUB_PAGES};
use minijinja::{
    AutoEscape, Environment, Error, UndefinedBehavior, Value, context, syntax::SyntaxConfig,
};

use generator::host::Host;

const TEMPLATE: &str = include_str!("publish.yml.j2");
/// The service that systemd reloads, as the shell of the workflow knows it.
const SERVICE: &str = "${CANDOR_HOST@Q}";
/// The repository's variable with the address of the site.
const SITE: &str = "${{ vars.SITE }}";

/// Returns the text of `.github/workflows/publish.yml`.
///
/// # Errors
/// When the template is broken.
pub(super) fn publish(host: Host, base_url: &str) -> Result<String, Error> {
    // In an expression of GitHub an apostrophe is written twice.
    let quoted = base_url.replace('\'', "''");
    let site = format!("${{{{ vars.SITE || '{quoted}' }}}}");
    if host == Host::GithubPages {
        return Ok(GITHUB_PAGES.replace(SITE, &site));
    }
    render(context! {
        site,
        host => host.name(),
        deployed_to => host.name(),
        service => if host == Host::Apache { "apache2" } else { SERVICE },
        deploy_step => deploy_step(host),
        proves_itself => host == Host::S3,
    })
}

fn render(values: Value) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_syntax(SyntaxConfig::builder().keep_trailing_newline(true).build()?);
    environment.add_template("publish.yml", TEMPLATE)?;
    environment.get_template("publish.yml")?.render(values)
}

/// The step that the documentation has for a host; none for a server, which has that of the template.
fn deploy_step(host: Host) -> Option<String> {
    let heading = match host {
        Host::Cloudflare => "\n## Cloudflare\n",
        Host::Netlify => "\n## Netlify\n",
        Host::Vercel => "\n## Vercel\n",
        Host::S3 => "\n## S3 and CloudFront\n",
        Host::Htaccess => "\n## Shared hosting\n",
        Host::Nginx | Host::Caddy | Host::Apache | Host::GithubPages => return None,
    };
    let (_, section) = DEPLOY.split_once(heading)?;
    let (_, step) = section.split_once("```yaml step\n")?;
    let (step, _) = step.split_once("```")?;
    let lines: Vec<String> = step.lines().map(|line| format!("      {line}")).collect();
    Some(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn an_address_does_not_end_the_text_of_the_expression() {
        let text = publish(Host::Nginx, "https://reviews.example/o'brien").unwrap();
        assert!(
            text.contains("SITE: ${{ vars.SITE || 'https://reviews.example/o''brien' }}"),
            "{text}"
        );
    }

    #[test]
    fn the_workflow_of_the_documentation_is_made_from_the_template() {
        let text = render(context! {
            site => SITE,
            host => "nginx",
            deployed_to => "a server of your own with nginx;\n# candor init --host NAME writes the one of another host",
            service => SERVICE,
            deploy_step => None::<String>,
            proves_itself => false,
        });
        assert_eq!(text.unwrap(), docs::PUBLISH);
    }

    #[test]
    fn every_host_has_a_workflow_with_its_own_step() {
        for host in Host::value_variants() {
            let text = publish(*host, "https://reviews.example").unwrap();
            let name = host.name();
            assert!(text.contains(&format!("CANDOR_HOST: {name}")), "{name}: {text}");
            assert!(text.contains("SITE: ${{ vars.SITE || 'https://reviews.example' }}"), "{name}");
            assert!(text.contains("      CANDOR_PUBLIC: public #"), "{name}: {text}");
            let command = match host {
                Host::Nginx | Host::Caddy => "systemctl reload ${CANDOR_HOST@Q}",
                Host::Apache => "systemctl reload apache2",
                Host::Cloudflare => "wrangler@4 deploy",
                Host::Netlify => "netlify-cli@26 deploy",
                Host::Vercel => "vercel@latest deploy",
                Host::S3 => "sh hosts/s3/upload.sh",
                Host::GithubPages => "actions/deploy-pages",
                Host::Htaccess => "mirror --reverse --delete",
            };
            assert_eq!(text.matches(command).count(), 1, "{name}: {text}");
            let steps = text.matches("- name: Deploy\n").count();
            assert_eq!(steps, usize::from(*host != Host::GithubPages), "{name}: {text}");
            assert!(!text.contains("of another host"), "{name}: {text}");
            let proves_itself = matches!(host, Host::S3 | Host::GithubPages);
            assert_eq!(text.contains("id-token: write"), proves_itself, "{name}: {text}");
        }
    }
}
