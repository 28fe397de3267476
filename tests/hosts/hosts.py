"""The hosts: how each real program is started with what was written for it."""

import re
import signal

import programs
import publication
from programs import CADDY, HERE, NODE, Program, folder, free_port


class Host:
    """One of them, serving a publication of its own."""

    name = ""  # as the tables call it
    options: tuple[str, ...] = ()  # what `candor build` is told
    base_url = publication.BASE_URL

    def __init__(self):
        self.port = free_port()
        self.publication = publication.Publication(self.name, self.base_url, *self.arguments())
        self.program = self.start()
        self.address = ("127.0.0.1", self.port)

    def arguments(self) -> tuple[str, ...]:
        """For a server beside the sidecar: it passes on under the name it was asked by."""
        if not self.options:
            return ()
        _, port = publication.sidecar().address
        return (*self.options, "--sidecar", f"http://127.0.0.1:{port}")

    def start(self) -> Program:
        """Starts the program."""
        raise NotImplementedError

    def change(self) -> None:
        """Publishes what changed, and does what the command said is to be done then."""
        self.publication.build()
        self.reload()

    def reload(self) -> None:
        """By itself."""

    def text(self, name: str) -> str:
        """A file of the configuration."""
        return (self.publication.config / name).read_text("utf-8")


NGINX = """load_module /usr/lib/nginx/modules/ngx_http_brotli_static_module.so;
daemon off; user root; worker_processes 1; pid {run}/nginx.pid; error_log stderr warn;
events {{ worker_connections 256; }}
http {{
    access_log off; keepalive_requests 1000000;
    client_body_temp_path {run}/body; proxy_temp_path {run}/proxy; fastcgi_temp_path {run}/fastcgi;
    uwsgi_temp_path {run}/uwsgi; scgi_temp_path {run}/scgi;
    {body}
}}
"""


def nginx(name: str, port: int, body: str) -> Program:
    """Starts an nginx with this in its http block."""
    run = folder(name, "run")
    (run / "nginx.conf").write_text(NGINX.format(run=run, body=body), "utf-8")
    return Program(name, port, "nginx", "-p", run, "-c", run / "nginx.conf", "-e", "stderr")


class Nginx(Host):
    """nginx, with the example that was written: its port and brotli, which it has, are put in."""

    name, options = "nginx", ("--host", "nginx")

    def start(self) -> Program:
        site = re.sub(r"listen \d+;", f"listen 127.0.0.1:{self.port};", self.text("site.conf"))
        site = re.sub(r"listen \[::\]:\d+;", "", site).replace("# brotli_static on;", "brotli_static on;")
        return nginx(self.name, self.port, self.text("candor-hashes.conf") + site)

    def reload(self) -> None:
        self.program.signal(signal.SIGHUP)


class Caddy(Host):
    """Caddy of Debian."""

    name, options, binary = "caddy 2.6", ("--host", "caddy", "--compat", "2.6"), "caddy"

    def start(self) -> Program:
        self.admin = free_port()
        settings = f"admin 127.0.0.1:{self.admin}\nhttp_port {self.port}\nauto_https off\ndefault_bind 127.0.0.1"
        self.file = folder(self.name, "run") / "Caddyfile"
        self.file.write_text(f"{{\n{settings}\n}}\n" + self.text("Caddyfile"), "utf-8")
        return Program(self.name, self.port, self.binary, "run", "--adapter", "caddyfile", "--config", self.file)

    def reload(self) -> None:
        arguments = ("--adapter", "caddyfile", "--config", self.file, "--address", f"127.0.0.1:{self.admin}")
        programs.run(self.binary, "reload", "--force", *arguments)


class CaddyNow(Caddy):
    """Caddy from 2.8 on: it reads tags from files, so nothing is reloaded."""

    name, options, binary = "caddy", ("--host", "caddy"), CADDY

    def reload(self) -> None:
        pass


APACHE = """ServerRoot {run}
PidFile {run}/apache.pid
DefaultRuntimeDir {run}
Listen 127.0.0.1:{port}
ServerName localhost
User www-data
Group www-data
{modules}
TypesConfig /etc/mime.types
AddOutputFilterByType DEFLATE text/html text/plain text/xml text/css text/javascript application/json application/xml
ErrorLog /dev/stderr
MaxKeepAliveRequests 0
KeepAliveTimeout 60
{site}
"""
MODULES = "mpm_event authz_core authz_host rewrite headers setenvif mime dir alias filter deflate proxy proxy_http".split()


class Apache(Host):
    """Apache httpd, with the example that was written: its port is put in. Compression on the way is on,
    as Debian has it, so that it must be kept away from our tags."""

    name, options = "apache", ("--host", "apache")

    def start(self) -> Program:
        run = folder(self.name, "run")
        modules = "\n".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in MODULES)
        site = self.text("site.conf").replace("*:80", f"127.0.0.1:{self.port}")
        config = run / "httpd.conf"
        config.write_text(APACHE.format(run=run, port=self.port, modules=modules, site=site), "utf-8")
        return Program(self.name, self.port, "apache2", "-D", "FOREGROUND", "-f", config)


class PullCache(Host):
    """nginx as the edge of a CDN that pulls from the sidecar, which serves the documents too."""

    name = "pull cache"

    def start(self) -> Program:
        self.origin = publication.start_sidecar("origin", "--serve-public")
        _, port = self.origin.address
        return nginx(self.name, self.port, f"""
    upstream origin {{ server 127.0.0.1:{port}; keepalive 8; }}
    proxy_cache_path {folder(self.name, 'cache')} keys_zone=reviews:4m;
    server {{
        listen 127.0.0.1:{self.port};
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
        location / {{
            proxy_pass http://origin;
            proxy_cache reviews;
            proxy_cache_key $host$request_uri;
            # An edge keeps what may be kept for no time at all, or there would be nothing to see.
            proxy_ignore_headers Cache-Control;
            proxy_cache_valid 200 1s;
            proxy_cache_revalidate on;
        }}
        location ~ ^/(mcp/?|api/websub/hub)$ {{ proxy_pass http://origin; proxy_buffering off; }}
    }}""")


class Worker(Host):
    """A Cloudflare Worker in wrangler's local runtime. The sidecar is asked as sidecar.test, through
    an nginx that stands for whatever carries that name."""

    name, options = "worker", ("--host", "cloudflare")

    def arguments(self) -> tuple[str, ...]:
        return (*self.options, "--sidecar", f"https://{publication.SIDECAR}")

    def origin(self) -> str:
        """Where the sidecar answers to its own name."""
        _, port = publication.sidecar().address
        front = free_port()
        nginx(f"{self.name} front", front, f"""
    server {{
        listen 127.0.0.1:{front};
        location / {{
            proxy_pass http://127.0.0.1:{port};
            proxy_http_version 1.1;
            proxy_buffering off;
            proxy_set_header Connection "";
            proxy_set_header Host {publication.SIDECAR};
        }}
    }}""")
        return f"http://127.0.0.1:{front}"

    def wrangler(self, *arguments, cwd=None) -> Program:
        """Starts wrangler on our port, silent and without its account."""
        home = folder("home")
        return Program(
            self.name, self.port, NODE, HERE / "node_modules" / "wrangler" / "bin" / "wrangler.js", *arguments,
            "--log-level", "warn", "--ip", "127.0.0.1", "--port", self.port, "--inspector-port", free_port(), cwd=cwd, CI="1",
            WRANGLER_SEND_METRICS="false", WRANGLER_LOG_PATH=str(home), NO_UPDATE_NOTIFIER="1",
        )  # fmt: skip

    def start(self) -> Program:
        config = self.publication.config
        return self.wrangler(
            "dev", "--config", config / "wrangler.jsonc", "--var", f"SIDECAR_ORIGIN:{self.origin()}",
            "--local-upstream", publication.NAME, "--show-interactive-dev-session", "false", cwd=config,
        )  # fmt: skip


class Pages(Worker):
    """The same as Cloudflare Pages."""

    name = "pages"

    def start(self) -> Program:
        return self.wrangler(
            "pages", "dev", "--binding", f"SIDECAR_ORIGIN={self.origin()}", "--show-interactive-dev-session", "false",
            cwd=self.publication.config / "pages",
        )  # fmt: skip

    def reload(self) -> None:
        """Another deployment: the local program does not notice what a table imports."""
        self.program.stop()
        self.program = self.start()


class Netlify(Host):
    """netlify dev, which is not the program that runs in production."""

    name, options = "netlify", ("--host", "netlify")

    def arguments(self) -> tuple[str, ...]:
        return (*self.options, "--sidecar", f"http://{publication.SIDECAR}")

    def start(self) -> Program:
        self._reach_the_sidecar()
        cli = programs.TARGET / "netlify" / "node_modules" / "netlify-cli" / "bin" / "run.js"
        return Program(
            self.name, self.port, NODE, cli, "dev", "--offline", "--no-open", "--dir", self.publication.public,
            "--port", self.port, "--functions-port", free_port(), "--internal-disable-edge-functions",
            cwd=self.publication.config, CI="1",
        )  # fmt: skip

    def reload(self) -> None:
        self._reach_the_sidecar()

    def _reach_the_sidecar(self) -> None:
        """Nothing resolves the sidecar's name here, so its address is put in its place."""
        _, port = publication.sidecar().address
        redirects = self.publication.public / "_redirects"
        text = redirects.read_text("utf-8").replace(f"http://{publication.SIDECAR}/", f"http://127.0.0.1:{port}/")
        redirects.write_text(text, "utf-8")


# What `make test-hosts` asks, and what is asked by name only.
ALL = (Nginx, Caddy, CaddyNow, Apache, Worker, Pages, PullCache)
BY_NAME = (Netlify,)

# Nobody here can start these, so what their documentation says is all there is.
UNPROVEN = {
    "cloudflare": "the zone's options, compression at the edge and the weak tags it may make",
    "netlify": "304 by the platform's tag in production, types of _headers, 405 of POST",
    "vercel": "everything but the form of vercel.json",
    "s3": "everything but the form of the stack and the functions in it",
    "github-pages": "everything but the files",
    "pull CDNs": "how each keeps an origin's tag when it compresses by itself",
    "TLS": "HTTP/2 and HTTP/3 to any of them",
}
