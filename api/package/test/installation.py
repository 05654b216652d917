"""Installs the package, runs the portal behind nginx and Caddy, upgrades, removes and purges.

Runs as root in the container that `run` starts. Prints one line for each step."""

import glob
import grp
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
SECRETS = "/etc/serendib-tenders/secrets"
MAILS = "/tmp/mails"
PORTAL = "http://127.0.0.1:8080"
COPY = "http://127.0.0.1:8081"
METRICS = "http://127.0.0.1:9464"
# A worker of the jobs. The name of its unit has the port of its metrics.
WORKER, WORKER_METRICS = "serendib-work@9466", "http://127.0.0.1:9466"
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
    return f"{stat.S_IMODE(found.st_mode):o} {pwd.getpwuid(found.st_uid).pw_name}:{grp.getgrgid(found.st_gid).gr_name}"


def tenders(base=PORTAL):
    return call("GET", "/api/tenders", base=base)[1]["data"]["pagination"]["totalCount"]


def mails_to(address):
    """Returns the mails that the mail server has accepted for an address, without soft line breaks."""
    mails = [open(file, "rb").read() for file in glob.glob(f"{MAILS}/*")]
    return [mail.replace(b"=\r\n", b"").replace(b"=\n", b"") for mail in mails if address in mail]


def is_refused_for_misspelt_name(unit, file, name, meant):
    """Starts a unit with a misspelt name in the last line of its settings file. Returns what the journal says."""
    correct = open(file).read()
    with open(file, "a") as settings:
        settings.write(f"{name}=1\n")
    line = correct.count("\n") + 1
    subprocess.run(["systemctl", "start", unit], stderr=subprocess.DEVNULL)
    wait_for(f"{unit} does not start with a misspelt name",
             lambda: run(f"systemctl show -P ActiveState {unit}") == "failed", 30)
    check(run(f"systemctl show -P NRestarts {unit}") == "0", f"{unit} does not try again")
    journal = run(f"journalctl --no-pager -q -o cat -u {unit}")
    message = f"{name} (line {line} of {file}): is not a setting; did you mean {meant}?"
    check(message in journal, f"the journal of {unit} names the line and the probable name", journal)
    with open(file, "w") as settings:
        settings.write(correct)
    run(f"systemctl reset-failed {unit}")


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
    check(mode(DATA) == "700 serendib-tenders:serendib-tenders", "the data folder belongs to the server alone")
    check(mode(BACKUPS) == "700 serendib-tenders:serendib-tenders", "the folder of backups belongs to the server alone")
    check(mode(SECRETS) == "2750 root:serendib-tenders", "the folder of secrets belongs to root")
    for name in ("serendib-tenders", "serendib-ingest"):
        check(mode(f"/etc/serendib-tenders/{name}.env") == f"640 root:{name}", f"only {name} reads {name}.env")
    check(pwd.getpwnam("serendib-ingest").pw_shell.endswith("nologin"), "the users have no shell")
    check(not active("serendib-tenders"), "the server does not start without settings")
    check(run("serendib-ingest --version").startswith("ingest "), "serendib-ingest runs")
    check(run("setpriv --reuid nobody serendib-api --version").startswith("api "), "serendib-api runs")
    for user in ("root", "nobody"):
        # Nobody cannot read the settings, and the database is not there yet.
        done = subprocess.run(["setpriv", "--reuid", user, "serendib-api", "mail", "receive"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        check(done.returncode == 75, f"the mail server keeps a bounce that {user} cannot process", done.stderr)
    check(run("dpkg -V serendib-tenders") == "", "all files are as packaged")
    licences = run("zcat -f /usr/share/doc/serendib-tenders/third-party.txt*")
    check("SIL OPEN FONT LICENSE" in licences and "tokio 1." in licences, "the licences are installed")
    check(os.path.exists("/usr/share/serendib-tenders/monitoring/alerts.yml"), "the alert rules are installed")
    for guide in glob.glob("/usr/share/doc/serendib-tenders/*.md"):
        files = re.findall(r"\]\(([^)#:]+)[)#]", open(guide).read())
        missing = [file for file in files if not os.path.exists(os.path.join(os.path.dirname(guide), file))]
        check(missing == [], f"the links of {os.path.basename(guide)} lead to installed files", missing)
    for program in ("api", "ingest", "web"):
        name = glob.glob(f"/usr/share/doc/serendib-tenders/sbom/{program}.cdx.json*")[0]
        check(len(json.loads(run(f"zcat -f {name}"))["components"]) > 20, f"the SBOM of {program} is installed")


def start():
    run("systemctl start postgresql@15-main")
    run("su postgres -c 'createuser serendib-tenders && createdb -O serendib-tenders serendib-tenders'", cwd="/")
    os.mkdir(MAILS)
    run(f"systemd-run --unit mail-sink python3 -W ignore -c '{SINK}'")
    run(f"umask 027; echo smtp://127.0.0.1:2525 >{SECRETS}/smtp-url")
    check(mode(f"{SECRETS}/smtp-url") == "640 root:serendib-tenders", "the server can read a secret, but not change it")
    set_settings({
        "PUBLIC_URL": "https://portal.example",
        "SMTP_URL_FILE": f"{SECRETS}/smtp-url",
        "MAIL_FROM": "'Serendib Tenders <alerts@portal.example>'",
        "TRUSTED_PROXIES": "127.0.0.1",
        "CANARY_MAIL": "canary@portal.example",
        "METRICS_LISTEN": "127.0.0.1:9999",
    })
    is_refused_for_misspelt_name("serendib-tenders", SETTINGS, "PUBLIC_ULR", "PUBLIC_URL")
    check("the settings are correct" in run("serendib-api settings check"), "the settings are correct")
    # What `systemctl edit` writes.
    os.mkdir("/etc/systemd/system/serendib-tenders.service.d")
    with open("/etc/systemd/system/serendib-tenders.service.d/override.conf", "w") as override:
        override.write("[Service]\nEnvironment=METRICS_LISTEN=127.0.0.1:9464\n")
    run("systemctl daemon-reload")
    run("timeout 120 systemctl enable --now serendib-tenders serendib-backup.timer serendib-check.timer")
    check(active("serendib-tenders"), "the server reports that it listens")
    wait_for("the server is ready", ready)
    check(mode(f"{DATA}/signing.key") == "600 serendib-tenders:serendib-tenders", "only the server reads the signing key")
    name = b"serendib_build_info"
    check(name in call("GET", "/metrics", base=METRICS)[1], "a variable of the unit takes precedence over the file")
    check(name not in (call("GET", "/metrics")[1] or b""), "the metrics are at an address of their own")
    wait_for("the hourly test of the portal has sent its mail", lambda: mails_to(b"canary@portal.example"), 120)


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
    mails = wait_for("the confirmation mail arrives", lambda: mails_to(b"nimal@supplier.example"))
    check(b"https://portal.example/" in mails[0], "the mail links to the public URL")

    run("systemctl start serendib-ingest")
    log = run("journalctl --no-pager -q -o cat -u serendib-ingest")
    check("ConditionPathExists=/etc/serendib-tenders/operator.token" in log,
          "the log says that a worker without a token is skipped", log)
    run("umask 077; serendib-api admin token create worker >/etc/serendib-tenders/operator.token")
    is_refused_for_misspelt_name("serendib-ingest", "/etc/serendib-tenders/serendib-ingest.env", "INGEST_JOB", "INGEST_JOBS")
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

    run(f"timeout 120 systemctl enable --now {WORKER}")
    wait_for("a worker of the jobs is ready beside the server",
             lambda: call("GET", "/readyz", base=WORKER_METRICS)[0] == 200)
    check(os.path.isdir(f"{DATA}/index-9466"), "the worker has a search index of its own")

    run("systemctl start serendib-backup")
    check("1" in run(f"serendib-api backup list {BACKUPS}"), "the nightly backup works")
    run(f"serendib-api backup verify {BACKUPS}")
    wait_for("the nightly check finds no problems",
             lambda: subprocess.run(["systemctl", "start", "serendib-check"]).returncode == 0, 30)
    check("serendib-backup.timer" in run("systemctl list-timers --no-pager"), "the timers run")


def restore():
    run("su postgres -c 'createdb -O serendib-tenders serendib-copy'", cwd="/")
    folder = "/var/lib/serendib-copy"
    run(f"install -d -m 700 -o serendib-tenders -g serendib-tenders {folder}")
    variables = {
        "DATABASE_URL": "postgres://serendib-tenders@%2Fvar%2Frun%2Fpostgresql/serendib-copy",
        "DATA": folder, "LISTEN": "127.0.0.1:8081", "METRICS_LISTEN": "127.0.0.1:9465",
    }
    environment = {**os.environ, **variables}
    run(f"serendib-api restore {BACKUPS} --no-send", env=environment)
    run("systemd-run --unit serendib-copy " + " ".join(f"-E {name}" for name in variables) + " serendib-api serve",
        env=environment)
    wait_for("a restored copy is ready", lambda: call("GET", "/readyz", base=COPY)[0] == 200, 120)
    check(tenders(COPY) == tenders(), "the copy has the tenders of the original")
    check(call("GET", "/api/health", base=COPY)[1]["data"]["services"]["sendingOff"], "the copy sends nothing")
    run("serendib-api check", env=environment)
    print("ok: the check finds no problems in the copy", flush=True)
    run(f"systemctl stop serendib-copy && rm -r {folder}")


def upgrade():
    before, settings = tenders(), open(SETTINGS).read()
    process, worker = (run(f"systemctl show -P MainPID {unit}") for unit in ("serendib-tenders", WORKER))
    # The administrator answers the question about the changed file with "keep".
    print(run("apt-get install -q -y --no-install-recommends -o Dpkg::Options::=--force-confold /input/new.deb 2>&1 | tail -n 3",
              env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}))
    check("NEW_SETTING" in open(f"{SETTINGS}.dpkg-dist").read(), "the upgrade has a new file of settings")
    wait_for("the upgraded server is ready", ready)
    check(run("systemctl show -P MainPID serendib-tenders") != process, "the upgrade restarts the server")
    wait_for("the upgrade restarts the worker of the jobs",
             lambda: active(WORKER) and run(f"systemctl show -P MainPID {WORKER}") != worker)
    check(open(SETTINGS).read() == settings, "the upgrade keeps the settings")
    check(mode(SETTINGS) == "640 root:serendib-tenders", "the upgrade keeps the rights of the settings")
    wait_for("the upgrade keeps the tenders", lambda: tenders() == before)
    check(active("serendib-ingest"), "the worker runs after the upgrade")
    run("serendib-api admin token revoke worker && systemctl restart serendib-ingest")
    state = lambda: run("systemctl show -p ActiveState,ExecMainStatus,NRestarts serendib-ingest").split()
    wait_for("a worker with a revoked token ends and is not restarted",
             lambda: sorted(state()) == ["ActiveState=failed", "ExecMainStatus=77", "NRestarts=0"])
    run("apt-get install -q -y --reinstall --no-install-recommends -o Dpkg::Options::=--force-confold /input/new.deb")
    check(not active("serendib-ingest"), "an upgrade does not start a stopped worker")


def remove():
    run("apt-get remove -q -y serendib-tenders")
    check(not active("serendib-tenders") and not active(WORKER), "removing the package stops the server and its worker")
    check(not os.path.exists("/usr/bin/serendib-api"), "removing the package removes the programs")
    check(os.path.exists(f"{DATA}/signing.key") and os.path.exists(SETTINGS), "removing the package keeps data and settings")
    backups = sorted(os.listdir(BACKUPS))
    purged = run("apt-get purge -q -y serendib-tenders 2>&1")
    check(f"The backups in\n{BACKUPS} and the database stay" in purged, "the purge says what it keeps", purged)
    check(backups and sorted(os.listdir(BACKUPS)) == backups, "the backups survive the purge")
    left = [path for path in (DATA, "/etc/serendib-tenders", "/usr/share/serendib-tenders",
                              "/usr/lib/serendib-tenders", "/usr/share/doc/serendib-tenders") if os.path.exists(path)]
    left += glob.glob("/etc/systemd/system/*/serendib-*") + glob.glob("/lib/systemd/system/serendib-*")
    check(left == [], "purging the package removes all files", left)
    users = [entry.pw_name for entry in pwd.getpwall() if entry.pw_name.startswith("serendib")]
    check(users == ["serendib-tenders"], "purging the package keeps only the user that owns the backups", users)


for step in (install, start, proxies, use, restore, upgrade, remove):
    step()
print("the installation works")
