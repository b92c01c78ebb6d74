"""What all parts of the encryption contract use: base64, AES-GCM, HKDF, ids, and refusals."""

import base64
import binascii
import re

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

LF = b"\n"
V2 = b"health-records/v2"


class Refused(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code


def b64(data):
    return base64.b64encode(data).decode("ascii")


def unb64(text, code="tampered", length=None):
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (ValueError, binascii.Error, AttributeError):
        raise Refused(code) from None
    if b64(data) != text or (length is not None and len(data) != length):
        raise Refused(code)
    return data


def gcm_seal(key, iv, aad, message):
    return AESGCM(key).encrypt(iv, message, aad)


def gcm_open(key, iv, aad, sealed):
    if len(iv) != 12 or len(sealed) < 16:
        raise Refused("tampered")
    try:
        return AESGCM(key).decrypt(iv, sealed, aad)
    except InvalidTag:
        raise Refused("tampered") from None


def hkdf(key, salt, info, length):
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(key)


def uuid_text(data):
    return re.sub(r"^(.{8})(.{4})(.{4})(.{4})", r"\1-\2-\3-\4-", data.hex())


def uuid_bytes(text):
    return bytes.fromhex(text.replace("-", ""))


def is_uuid(text):
    pattern = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    return isinstance(text, str) and re.fullmatch(pattern, text) is not None


def lines(*parts):
    return LF.join(part if isinstance(part, bytes) else str(part).encode() for part in parts)
