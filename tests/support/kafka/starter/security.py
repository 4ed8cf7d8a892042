# SPDX-License-Identifier: Apache-2.0
"""Listeners with every kind of security, the users of them, and a client file for each, in both dialects."""
import pathlib

from . import certificates

MECHANISMS = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"]
ITERATIONS = 4096

# Port key: (listener name, protocol). The names of the good ones first.
LISTENERS = {
    "tls": ("SSL", "SSL"),
    "mtls": ("MTLS", "SSL"),
    "sasl_ssl": ("SASL_SSL", "SASL_SSL"),
    "sasl_plaintext": ("SASL_PLAINTEXT", "SASL_PLAINTEXT"),
    "elsewhere": ("ELSEWHERE", "SSL"),
    "expired": ("EXPIRED", "SSL"),
    "self_signed": ("SELF_SIGNED", "SSL"),
    "plain_only": ("PLAIN_ONLY", "SASL_PLAINTEXT"),
}

# Passwords that have to survive a JAAS line, a properties file, a command line and SCRAM. PLAIN takes its users from
# the broker's JAAS line, so that only names that are option names can be there.
USERS = [
    {"name": "ops", "password": 'pa,ss "wo\'rd" \\back\\\\slash = ;{}%$#! p\u00e4ss\u20ac\u4e2d', "plain": True},
    {"name": "member", "password": "member=secret,with \"quotes\"", "plain": True},
    {"name": "watcher", "password": "watcher\\secret", "plain": True},
    {"name": "stranger", "password": "stranger secret", "plain": True},
    # Kafka's SCRAM takes ASCII names only.
    {"name": "o'brien,dc=example", "password": "=2C=3D,n=o,r=x", "plain": False},
]


def jaas(module, **options):
    """A JAAS line: backslash and quote escaped as its quoted strings want it."""
    def quoted(value):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    told = "".join(f" {key}={quoted(value)}" for key, value in options.items())
    return f"org.apache.kafka.common.security.{module} required{told};"


def java_text(value):
    """A value as java.util.Properties reads it back."""
    text = "".join(char if " " <= char <= "~" else f"\\u{ord(char):04x}" for char in value.replace("\\", "\\\\"))
    return text.replace(" ", "\\ ", 1) if text.startswith(" ") else text


def listener_settings(folder, keys, acl):
    """Lines of server.properties besides the listeners themselves; folder holds the certificates, keys are of the
    LISTENERS that there are: all, or only the first."""
    settings = {
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": f"{folder}/server.pem",
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": f"{folder}/ca.pem",
    }
    if "mtls" not in keys:
        return settings
    plain_users = {f"user_{user['name']}": user["password"] for user in USERS if user["plain"]}
    settings.update({
        "listener.name.mtls.ssl.client.auth": "required",
        "sasl.enabled.mechanisms": ",".join(MECHANISMS),
        "listener.name.plain_only.sasl.enabled.mechanisms": "PLAIN",
    })
    for key, name in (("elsewhere", "server-elsewhere"), ("expired", "server-expired"),
                      ("self_signed", "server-self-signed")):
        settings[f"listener.name.{key}.ssl.keystore.type"] = "PEM"
        settings[f"listener.name.{key}.ssl.keystore.location"] = f"{folder}/{name}.pem"
    modules = {
        "plain": jaas("plain.PlainLoginModule", **plain_users),
        "scram-sha-256": jaas("scram.ScramLoginModule"),
        "scram-sha-512": jaas("scram.ScramLoginModule"),
        "oauthbearer": jaas("oauthbearer.OAuthBearerLoginModule"),
    }
    for listener in ("sasl_ssl", "sasl_plaintext", "plain_only"):
        for mechanism, line in modules.items():
            if listener != "plain_only" or mechanism == "plain":
                settings[f"listener.name.{listener}.{mechanism}.sasl.jaas.config"] = line
    if acl:
        settings["authorizer.class.name"] = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
        settings["super.users"] = "User:ANONYMOUS"
    return {key: java_text(value) for key, value in settings.items()}


def login_settings(mechanism, user):
    """How a client logs in: (librdkafka's properties, Java's)."""
    librdkafka = {"sasl.mechanism": mechanism}
    java = {"sasl.mechanism": mechanism}
    if mechanism == "OAUTHBEARER":
        librdkafka["enable.sasl.oauthbearer.unsecure.jwt"] = "true"
        librdkafka["sasl.oauthbearer.config"] = f"principal={user['name']}"
        java["sasl.jaas.config"] = jaas("oauthbearer.OAuthBearerLoginModule",
                                        unsecuredLoginStringClaim_sub=user["name"])
    else:
        librdkafka["sasl.username"] = user["name"]
        librdkafka["sasl.password"] = user["password"]
        module = "plain.PlainLoginModule" if mechanism == "PLAIN" else "scram.ScramLoginModule"
        java["sasl.jaas.config"] = jaas(module, username=user["name"], password=user["password"])
    return librdkafka, java


def _client_settings(folder):
    """name: (port key, librdkafka's properties, Java's) of the first user, for every listener that lets one in."""
    trust = {"ssl.ca.location": f"{folder}/ca.pem"}
    java_trust = {"ssl.truststore.type": "PEM", "ssl.truststore.location": f"{folder}/ca.pem"}
    found = {
        "ssl": ("tls", {"security.protocol": "SSL", **trust}, {"security.protocol": "SSL", **java_trust}),
        "mtls": ("mtls",
                 {"security.protocol": "SSL", **trust, "ssl.certificate.location": f"{folder}/client.crt",
                  "ssl.key.location": f"{folder}/client-encrypted.key",
                  "ssl.key.password": certificates.PASSPHRASE},
                 {"security.protocol": "SSL", **java_trust, "ssl.keystore.type": "PEM",
                  "ssl.keystore.location": f"{folder}/client-encrypted-3des.pem",
                  "ssl.key.password": certificates.PASSPHRASE}),
        "mtls-pkcs12": ("mtls",
                        {"security.protocol": "SSL", **trust, "ssl.keystore.location": f"{folder}/client.p12",
                         "ssl.keystore.password": certificates.PASSPHRASE},
                        {"security.protocol": "SSL", "ssl.truststore.type": "PKCS12",
                         "ssl.truststore.location": f"{folder}/ca.p12",
                         "ssl.truststore.password": certificates.PASSPHRASE, "ssl.keystore.type": "PKCS12",
                         "ssl.keystore.location": f"{folder}/client.p12",
                         "ssl.keystore.password": certificates.PASSPHRASE}),
    }
    for mechanism in MECHANISMS:
        librdkafka, java = login_settings(mechanism, USERS[0])
        found[f"sasl_ssl-{mechanism.lower()}"] = (
            "sasl_ssl", {"security.protocol": "SASL_SSL", **trust, **librdkafka},
            {"security.protocol": "SASL_SSL", **java_trust, **java})
        found[f"sasl_plaintext-{mechanism.lower()}"] = (
            "sasl_plaintext", {"security.protocol": "SASL_PLAINTEXT", **librdkafka},
            {"security.protocol": "SASL_PLAINTEXT", **java})
    return found


def describe(root, certificate_folder, nodes, files):
    """Writes the client files below root and returns what --json tells of the secure side."""
    folder = pathlib.Path(root) / "clients"
    folder.mkdir(exist_ok=True)
    bootstraps = {key: ",".join(f"127.0.0.1:{node['ports'][key]}" for node in nodes) for key in LISTENERS}
    clients = {}
    for name, (key, librdkafka, java) in _client_settings(certificate_folder).items():
        paths = {"librdkafka": folder / f"{name}.conf", "java": folder / f"{name}.properties"}
        librdkafka = {"bootstrap.servers": bootstraps[key], **librdkafka}
        java = {"bootstrap.servers": bootstraps[key], **{k: java_text(v) for k, v in java.items()}}
        for dialect, settings in (("librdkafka", librdkafka), ("java", java)):
            paths[dialect].write_text("".join(f"{k}={v}\n" for k, v in settings.items()), encoding="utf-8")
            paths[dialect].chmod(0o600)
        clients[name] = {"listener": key, **{dialect: str(path) for dialect, path in paths.items()}}
    return {"bootstraps": bootstraps, "clients": clients, "certificates": files,
            "passphrase": certificates.PASSPHRASE,
            "users": [{"name": user["name"], "password": user["password"],
                       "mechanisms": [m for m in MECHANISMS if user["plain"] or m.startswith("SCRAM")]}
                      for user in USERS]}
