"""Installs the package, runs the portal behind nginx and Caddy, upgrades, removes and purges.

Runs as root in the container that `run` starts. Prints one line for each step."""

import glob
import json
import os
import pwd
import re
import ssl
import stat
import subprocess
import time
import urllib.error
import urllib.request
import uuid

SETTINGS = "/etc/serendib-tenders/serendib-tenders.env"
DATA = "/var/lib/serendib-tenders"
BACKUPS = "/var/backups/serendib-tenders"
MAILS = "/tmp/mails"
PORTAL = "http://127.0.0.1:8080"
SINK = f"""
import asyncore, smtpd, time
class Sink(smtpd.SMTPServer):
    def process_message(self, peer, sender, recipients, data, **options):
        open("{MAILS}/%d" % time.time_ns(), "wb").write(data)
Sink(("127.0.0.1", 2525), None)
asyncore.loop()
"""


def run(command, **options):
    done = subprocess.run(command, shell=True, text=True, capture_output=True, **options)
    if done.returncode != 0:
        logs = subprocess.run("journalctl --no-pager -q -n 40 -o cat -t api -t ingest -u 'serendib-*'",
                              shell=True, text=True, capture_output=True)
        raise SystemExit(f"FAILED: {command}\n{done.stdout}{done.stderr}\n{logs.stdout}")
    return done.stdout.strip()


def check(condition, what, found=""):
    if not condition:
        raise SystemExit(f"FAILED: {what} {found}")
    print(f"ok: {what}", flush=True)


def wait_for(what, condition, seconds=120):
    """Waits until the condition holds. Only the time limit depends on the speed of the machine."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            print(f"ok: {what}", flush=True)
            return value
        time.sleep(0.2)
    print(run("journalctl --no-pager -q -n 400 -o cat -u 'serendib-*' | grep -v 'answered status=2' | tail -n 40"))
    raise SystemExit(f"FAILED: {what}: nothing within {seconds} s")


def call(method, path, body=None, token=None, content_type="application/json", base=PORTAL):
    """Returns the status and the JSON of a response."""
    data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data=data, method=method, headers={"Content-Type": content_type})
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            text = response.read()
            return response.status, json.loads(text) if text[:1] in (b"{", b"[") else text
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except OSError:
        return 0, None


def ready():
    return call("GET", "/readyz")[0] == 200


def active(unit):
    return subprocess.run(["systemctl", "is-active", "-q", unit]).returncode == 0


def mode(path):
    found = os.stat(path)
    return f"{stat.S_IMODE(found.st_mode):o} {pwd.getpwuid(found.st_uid).pw_name}"


def tenders():
    return call("GET", "/api/tenders")[1]["data"]["pagination"]["totalCount"]


def set_settings(values):
    text = open(SETTINGS).read()
    for name, value in values.items():
        text, count = re.subn(rf"(?m)^#{name}=.*$", f"{name}={value}", text)
        assert count == 1, name
    with open(SETTINGS, "w") as file:
        file.write(text)


def install():
    print(run("apt-get install -q -y --no-install-recommends /input/old.deb 2>&1 | tail -n 8",
              env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}))
    check(mode(DATA) == "700 serendib-tenders", "the data folder belongs to the server alone")
    check(mode(BACKUPS) == "700 serendib-tenders", "the folder of backups belongs to the server alone")
    check(mode("/etc/serendib-tenders/secrets") == "750 root", "the folder of secrets belongs to root")
    for name in ("serendib-tenders", "serendib-ingest", "serendib-backup"):
        check(mode(f"/etc/serendib-tenders/{name}.env") == "600 root", f"only root reads {name}.env")
    check(pwd.getpwnam("serendib-ingest").pw_shell.endswith("nologin"), "the users have no shell")
    check(not active("serendib-tenders"), "the server does not start without settings")
    check(run("serendib-ingest --version").startswith("ingest "), "serendib-ingest runs")
    check(run("setpriv --reuid nobody serendib-api --version").startswith("api "), "serendib-api runs")
    check(run("dpkg -V serendib-tenders") == "", "all files are as packaged")
    licences = run("zcat -f /usr/share/doc/serendib-tenders/third-party.txt*")
    check("SIL OPEN FONT LICENSE" in licences and "tokio 1." in licences, "the licences are installed")
    for program in ("api", "ingest", "web"):
        name = glob.glob(f"/usr/share/doc/serendib-tenders/sbom/{program}.cdx.json*")[0]
        check(len(json.loads(run(f"zcat -f {name}"))["components"]) > 20, f"the SBOM of {program} is installed")


def start():
    run("systemctl start postgresql@15-main")
    run("su postgres -c 'createuser serendib-tenders && createdb -O serendib-tenders serendib-tenders'", cwd="/")
    os.mkdir(MAILS)
    run(f"systemd-run --unit mail-sink python3 -W ignore -c '{SINK}'")
    set_settings({
        "DATABASE_URL": "postgres://serendib-tenders@%2Fvar%2Frun%2Fpostgresql/serendib-tenders",
        "PUBLIC_URL": "https://portal.example",
        "SMTP_URL": "smtp://127.0.0.1:2525",
        "MAIL_FROM": "'Serendib Tenders <alerts@portal.example>'",
        "TRUSTED_PROXIES": "127.0.0.1",
    })
    run("timeout 120 systemctl enable --now serendib-tenders serendib-backup.timer serendib-check.timer")
    check(active("serendib-tenders"), "the server reports that it listens")
    wait_for("the server is ready", ready)
    check(mode(f"{DATA}/signing.key") == "600 serendib-tenders", "only the server reads the signing key")


def proxies():
    run("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=portal.example -keyout /tmp/key.pem -out /tmp/cert.pem")
    run("""mkdir -p /etc/letsencrypt/live/portal.example && cd /etc/letsencrypt/live/portal.example &&
        cp /tmp/key.pem privkey.pem && cp /tmp/cert.pem fullchain.pem && rm -f /etc/nginx/sites-enabled/default""")
    run("zcat -f /usr/share/doc/serendib-tenders/examples/nginx.conf* >/etc/nginx/sites-enabled/serendib-tenders")
    run("nginx -t && systemctl start nginx")
    through_proxy("nginx")
    run("systemctl stop nginx")
    # Caddy cannot obtain a certificate here.
    run("""zcat -f /usr/share/doc/serendib-tenders/examples/Caddyfile* |
        sed 's#^\\ttls {#\\ttls /tmp/cert.pem /tmp/key.pem {#' >/etc/caddy/Caddyfile""")
    run("chmod 644 /tmp/key.pem /tmp/cert.pem && install -m 644 /tmp/key.pem /tmp/cert.pem /etc/caddy/")
    run("sed -i 's#/tmp/#/etc/caddy/#g' /etc/caddy/Caddyfile && caddy validate --config /etc/caddy/Caddyfile && systemctl start caddy")
    through_proxy("Caddy")
    run("systemctl stop caddy")


def through_proxy(name):
    curl = "curl -sk --resolve portal.example:443:127.0.0.1 --resolve portal.example:80:127.0.0.1 -o /dev/null -w '%{http_code} %{redirect_url}'"
    for target, response, what in (
        ("https://portal.example/api/tenders", "200", "forwards a call to the portal"),
        ("https://portal.example/", "200", "forwards a page"),
        ("http://portal.example/api/tenders", "403", "refuses unencrypted calls"),
        ("http://portal.example/tenders", "301 https://portal.example/tenders", "redirects pages"),
        ("--tls-max 1.1 https://portal.example/", "000", "refuses TLS 1.1"),
    ):
        found = run(f"{curl} {target} || true").strip()
        check(found == response, f"{name} {what}", found)


def use():
    created = run("serendib-api admin create --email ada@portal.example --first-name Ada --last-name Perera </dev/null 2>&1")
    check("ada@portal.example" in created or len(created) > 8, "the first administrator exists")
    status, _ = call("POST", "/api/auth/register", {
        "firstName": "Nimal", "lastName": "Silva", "email": "nimal@supplier.example", "password": "correct horse battery"})
    check(status in (200, 201), "a user registers")
    mail = wait_for("the confirmation mail arrives", lambda: [open(file, "rb").read() for file in glob.glob(f"{MAILS}/*")])
    check(b"https://portal.example/" in mail[0].replace(b"=\n", b"").replace(b"=\r\n", b""), "the mail links to the public URL")

    run("umask 077; serendib-api admin token create worker >/etc/serendib-tenders/operator.token")
    run("systemctl enable --now serendib-ingest")
    token = run("serendib-api admin token create desk --scope review")
    boundary = uuid.uuid4().hex
    page = open("/input/p2.pdf", "rb").read()
    body = (f"--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"daily-lanka_2026-11-20_p2.pdf\"\r\n"
            "Content-Type: application/pdf\r\n\r\n").encode() + page + f"\r\n--{boundary}--\r\n".encode()
    status, _ = call("POST", "/api/operate/pages", body, token, f"multipart/form-data; boundary={boundary}")
    check(status == 201, "a newspaper page is uploaded")
    pages = lambda: call("GET", "/api/operate/pages", token=token)[1]["data"]["pages"]
    wait_for("the worker has tried to read the page", lambda: pages()[0]["state"] not in ("waiting", "leased"), 240)
    check(pages()[0]["state"] == "read", "the worker has read the page", pages())
    wait_for("the tenders of the page are listed", lambda: tenders() > 3)

    run("systemctl start serendib-backup")
    check("1" in run(f"serendib-api backup list {BACKUPS}"), "the nightly backup works")
    run(f"serendib-api backup verify {BACKUPS}")
    wait_for("the nightly check finds no problems",
             lambda: subprocess.run(["systemctl", "start", "serendib-check"]).returncode == 0, 30)
    check("serendib-backup.timer" in run("systemctl list-timers --no-pager"), "the timers run")


def upgrade():
    before, settings = tenders(), open(SETTINGS).read()
    process = run("systemctl show -P MainPID serendib-tenders")
    # The administrator answers the question about the changed file with "keep".
    print(run("apt-get install -q -y --no-install-recommends -o Dpkg::Options::=--force-confold /input/new.deb 2>&1 | tail -n 3",
              env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}))
    check("NEW_SETTING" in open(f"{SETTINGS}.dpkg-dist").read(), "the upgrade has a new file of settings")
    wait_for("the upgraded server is ready", ready)
    check(run("systemctl show -P MainPID serendib-tenders") != process, "the upgrade restarts the server")
    check(open(SETTINGS).read() == settings, "the upgrade keeps the settings")
    wait_for("the upgrade keeps the tenders", lambda: tenders() == before)
    check(active("serendib-ingest"), "the worker runs after the upgrade")
    run("systemctl stop serendib-ingest")
    run("apt-get install -q -y --reinstall --no-install-recommends -o Dpkg::Options::=--force-confold /input/new.deb")
    check(not active("serendib-ingest"), "an upgrade does not start a stopped worker")


def remove():
    run("apt-get remove -q -y serendib-tenders")
    check(not active("serendib-tenders"), "removing the package stops the server")
    check(not os.path.exists("/usr/bin/serendib-api"), "removing the package removes the programs")
    check(os.path.exists(f"{DATA}/signing.key") and os.path.exists(SETTINGS), "removing the package keeps data and settings")
    run("apt-get purge -q -y serendib-tenders")
    left = [path for path in (DATA, BACKUPS, "/etc/serendib-tenders", "/usr/share/serendib-tenders",
                              "/usr/lib/serendib-tenders", "/usr/share/doc/serendib-tenders") if os.path.exists(path)]
    left += glob.glob("/etc/systemd/system/*/serendib-*") + glob.glob("/lib/systemd/system/serendib-*")
    check(left == [], "purging the package removes all files", left)
    users = [entry.pw_name for entry in pwd.getpwall() if entry.pw_name.startswith("serendib")]
    check(users == [], "purging the package removes the users", users)


for step in (install, start, proxies, use, upgrade, remove):
    step()
print("the installation works")
