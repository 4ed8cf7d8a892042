# SPDX-License-Identifier: Apache-2.0
"""A set of certificates and keys, good ones and every kind of bad one, made with openssl in well under a second."""
import os
import subprocess

from .state import Failure

# Not simpler than what people use, but ASCII: Java takes no other passphrase for a key.
PASSPHRASE = 'key "pass", \\word=#1'

_EC = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
_HERE = "subjectAltName=IP:127.0.0.1,DNS:localhost"
_CLIENT = "extendedKeyUsage=clientAuth"

# name: (the CA that signs it, days of validity, extension)
_SIGNED = {
    "server": ("ca", 3650, _HERE),
    "server-elsewhere": ("ca", 3650, "subjectAltName=DNS:elsewhere.example"),
    "server-expired": ("ca", -1, _HERE),
    "client": ("ca", 3650, _CLIENT),
    "client-expired": ("ca", -1, _CLIENT),
    "client-of-other-ca": ("other-ca", 3650, _CLIENT),
}


class _Maker:
    def __init__(self, folder):
        self.folder = folder

    def run(self, *command):
        try:
            subprocess.run(command, cwd=self.folder, check=True, capture_output=True, text=True,
                           env={**os.environ, "KEY_PASSPHRASE": PASSPHRASE})
        except FileNotFoundError as error:
            raise Failure(f"certificates need {command[0]}; what to do: packaging/setup/install-packages test") from error
        except subprocess.CalledProcessError as error:
            raise Failure(f"{command[0]} {command[1]} failed in {self.folder}: "
                          f"{error.stdout.strip()} {error.stderr.strip()}") from error

    def openssl(self, *arguments):
        self.run("openssl", *arguments)

    def read(self, name):
        return (self.folder / name).read_text(encoding="ascii")

    def write(self, name, *parts):
        (self.folder / name).write_text("".join(self.read(part) for part in parts), encoding="ascii")

    def sign(self, name, ca, days, extension):
        (self.folder / f"{name}.ext").write_text(extension + "\n", encoding="ascii")
        self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{ca}.pem", "-CAkey", f"{ca}.key",
                     "-CAcreateserial", "-days", str(days), "-extfile", f"{name}.ext", "-out", f"{name}.crt")
        (self.folder / f"{name}.ext").unlink()
        (self.folder / f"{name}.csr").unlink()


def make(folder):
    """Fills a folder that may be there and be empty, and returns {what: path}. Every key is an EC one except
    client-rsa; a .key is PKCS#8 without a passphrase, a .pem of a certificate holds key, certificate and CA.

    ca.pem, other-ca.pem       two CAs; the good certificates are the first one's
    ca-bundle.pem              both in one file, the wrong one first
    server                     for 127.0.0.1 and localhost
    server-elsewhere           for elsewhere.example, server-expired and server-self-signed for what they say
    client                     a client's; client-expired and client-of-other-ca for what they say
    client-encrypted.key       client.key as PKCS#8 with the passphrase (PBES2)
    client-encrypted-3des.key  the same in the older form that Java 17's PEM stores can read; .pem: with certificate
    client-rsa.crt             a client's with an RSA key; client-rsa-old.key is it as PKCS#1 with the passphrase
    client.p12                 the client's key and certificate as PKCS#12 with the passphrase
    ca.p12                     the CA as a trust store, as Java's keytool makes it, with the passphrase
    """
    folder.mkdir(parents=True, exist_ok=True)
    made = _Maker(folder)
    for name, title in (("ca", "Bellwether test CA"), ("other-ca", "Another test CA")):
        made.openssl("req", "-x509", *_EC, "-keyout", f"{name}.key", "-out", f"{name}.pem", "-days", "3650",
                     "-subj", f"/CN={title}")
    made.write("ca-bundle.pem", "other-ca.pem", "ca.pem")
    for name, (ca, days, extension) in _SIGNED.items():
        made.openssl("req", "-new", *_EC, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        made.sign(name, ca, days, extension)
        made.write(f"{name}.pem", f"{name}.key", f"{name}.crt", f"{ca}.pem")
    made.openssl("req", "-x509", *_EC, "-keyout", "server-self-signed.key", "-out", "server-self-signed.crt",
                 "-days", "3650", "-subj", "/CN=server-self-signed", "-addext", _HERE)
    made.write("server-self-signed.pem", "server-self-signed.key", "server-self-signed.crt")

    made.openssl("pkcs8", "-topk8", "-in", "client.key", "-out", "client-encrypted.key", "-v2", "aes-256-cbc",
                 "-passout", "env:KEY_PASSPHRASE")
    made.openssl("pkcs8", "-topk8", "-in", "client.key", "-out", "client-encrypted-3des.key", "-v1",
                 "PBE-SHA1-3DES", "-passout", "env:KEY_PASSPHRASE")
    made.write("client-encrypted-3des.pem", "client-encrypted-3des.key", "client.crt", "ca.pem")
    made.openssl("req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", "client-rsa.key", "-out",
                 "client-rsa.csr", "-subj", "/CN=client-rsa")
    made.sign("client-rsa", "ca", 3650, _CLIENT)
    made.openssl("rsa", "-in", "client-rsa.key", "-aes256", "-traditional", "-out", "client-rsa-old.key",
                 "-passout", "env:KEY_PASSPHRASE")
    made.openssl("pkcs12", "-export", "-inkey", "client.key", "-in", "client.crt", "-certfile", "ca.pem",
                 "-name", "client", "-out", "client.p12", "-passout", "env:KEY_PASSPHRASE")
    made.run("keytool", "-importcert", "-noprompt", "-alias", "ca", "-file", "ca.pem", "-keystore", "ca.p12",
             "-storetype", "PKCS12", "-storepass:env", "KEY_PASSPHRASE", "-J-XX:TieredStopAtLevel=1",
             "-J-XX:+UseSerialGC")
    for path in folder.iterdir():
        path.chmod(0o600)
    return files(folder)


def files(folder):
    """{name: path} of a set made before."""
    return {path.name: str(path) for path in sorted(folder.iterdir()) if path.suffix != ".srl"}
