//! The workflow that publishes a site to its host: the files of the documentation, adapted.

use docs::{DEPLOY, GITHUB_PAGES, PUBLISH};

use generator::host::Host;

/// The step of [`PUBLISH`] that differs by host, and the one that follows it.
const DEPLOY_STEP: &str = "      - name: Deploy\n";
const LEAST_RIGHTS: &str = "permissions:\n  contents: read\n";
const NEXT_STEP: &str = "      - name: Notify the sidecar\n";

/// `.github/workflows/publish.yml`
pub(super) fn publish(host: Host, base_url: &str) -> String {
    let text = match host {
        Host::GithubPages => GITHUB_PAGES.to_owned(),
        _ => {
            let servers = "a server of your own with nginx;\n# candor init --host NAME writes the one of another host.";
            let text = PUBLISH
                .replace("CANDOR_HOST: nginx", &format!("CANDOR_HOST: {}", host.name()))
                .replace(servers, &format!("{}.", host.name()));
            match (host, deploy_step(host)) {
                (Host::Apache, _) => text.replace("reload ${CANDOR_HOST@Q}", "reload apache2"),
                (Host::S3, Some(step)) => with_deploy_step(&text, &step)
                    .replace(LEAST_RIGHTS, &format!("{LEAST_RIGHTS}  id-token: write\n")),
                (_, Some(step)) => with_deploy_step(&text, &step),
                (_, None) => text,
            }
        }
    };
    // In an expression of GitHub an apostrophe is written twice.
    let quoted = base_url.replace('\'', "''");
    text.replace("${{ vars.SITE }}", &format!("${{{{ vars.SITE || '{quoted}' }}}}"))
}

/// The step that the documentation has for a host; none for a server, which has that of [`PUBLISH`].
fn deploy_step(host: Host) -> Option<String> {
    let heading = match host {
        Host::Cloudflare => "\n## Cloudflare\n",
        Host::Netlify => "\n## Netlify\n",
        Host::Vercel => "\n## Vercel\n",
        Host::S3 => "\n## S3 and CloudFront\n",
        Host::Nginx | Host::Caddy | Host::Apache | Host::GithubPages => return None,
    };
    let (_, section) = DEPLOY.split_once(heading)?;
    let (_, step) = section.split_once("```yaml step\n")?;
    let (step, _) = step.split_once("```")?;
    Some(step.lines().map(|line| format!("      {line}\n")).collect())
}

fn with_deploy_step(text: &str, step: &str) -> String {
    let parts = text.split_once(DEPLOY_STEP).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(NEXT_STEP)?;
        Some((before, after))
    });
    parts.map_or(text.to_owned(), |(before, after)| format!("{before}{step}{NEXT_STEP}{after}"))
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn an_address_does_not_end_the_text_of_the_expression() {
        let text = publish(Host::Nginx, "https://reviews.example/o'brien");
        assert!(
            text.contains("SITE: ${{ vars.SITE || 'https://reviews.example/o''brien' }}"),
            "{text}"
        );
    }

    #[test]
    fn every_host_has_a_workflow_with_its_own_step() {
        for host in Host::value_variants() {
            let text = publish(*host, "https://reviews.example");
            let name = host.name();
            assert!(text.contains(&format!("CANDOR_HOST: {name}")), "{name}: {text}");
            assert!(text.contains("SITE: ${{ vars.SITE || 'https://reviews.example' }}"), "{name}");
            let command = match host {
                Host::Nginx | Host::Caddy => "systemctl reload ${CANDOR_HOST@Q}",
                Host::Apache => "systemctl reload apache2",
                Host::Cloudflare => "wrangler@4 deploy",
                Host::Netlify => "netlify-cli@26 deploy",
                Host::Vercel => "vercel@latest deploy",
                Host::S3 => "sh hosts/s3/upload.sh",
                Host::GithubPages => "actions/deploy-pages",
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
