"""The chapter "Shared profiles" of libs/client/README.md: identities, rosters, keys, invitations and trust books."""

import hashlib
import hmac
import json
import os
import struct

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

import ml_kem
from basics import (
    LF,
    Refused,
    V2,
    b64,
    gcm_open,
    gcm_seal,
    hkdf,
    is_uuid,
    lines,
    unb64,
    uuid_bytes,
    uuid_text,
)

ROLES = ["viewer", "carer", "editor", "owner"]


def sha256(data):
    return hashlib.sha256(data).digest()


def raw(public_key):
    return public_key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def digits(data):
    """Six groups of five digits."""
    return " ".join(format(int.from_bytes(data[at : at + 5], "big") % 100_000, "05d") for at in range(0, 30, 5))


# --- Signatures ---

P = 2**255 - 19
ORDER_8 = int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little")
SMALL_ORDER = {0, 1, P - 1, ORDER_8, P - ORDER_8}


def sign(seed, label, message):
    return Ed25519PrivateKey.from_private_bytes(seed).sign(lines(V2 + label, message))


def signing_public(seed):
    return raw(Ed25519PrivateKey.from_private_bytes(seed).public_key())


def is_sound(point):
    y = int.from_bytes(point, "little") & 2**255 - 1
    return y < P and y not in SMALL_ORDER


def is_signed_plainly(public, signature, message):
    if len(public) != 32 or len(signature) != 64 or not is_sound(public) or not is_sound(signature[:32]):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
        return True
    except (InvalidSignature, ValueError):
        return False


def is_signed(public, signature, label, message):
    return is_signed_plainly(public, signature, lines(V2 + label, message))


# --- X-Wing, and HPKE in base mode with it ---

X_WING_LABEL = b"\\./" + b"/^\\"
HPKE_SUITE = b"HPKE" + struct.pack(">HHH", 0x647A, 0x0001, 0x0002)


def x25519(private, public):
    try:
        return X25519PrivateKey.from_private_bytes(private).exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError:
        raise Refused("tampered") from None


def x25519_public(private):
    return raw(X25519PrivateKey.from_private_bytes(private).public_key())


def x_wing_expand(seed):
    """The ML-KEM pair, and the X25519 pair."""
    expanded = hashlib.shake_256(seed).digest(96)
    public, secret = ml_kem.key_gen(expanded[:32], expanded[32:64])
    return public, secret, x25519_public(expanded[64:]), expanded[64:]


def x_wing_public(seed):
    public_m, _, public_x, _ = x_wing_expand(seed)
    return public_m + public_x


def x_wing_combine(secret_m, secret_x, ciphertext_x, public_x):
    return hashlib.sha3_256(secret_m + secret_x + ciphertext_x + public_x + X_WING_LABEL).digest()


def x_wing_encaps(public, randomness):
    """The shared secret, and what is sent."""
    public_m, public_x = public[:1184], public[1184:]
    if not ml_kem.is_public_key(public_m) or len(public_x) != 32:
        raise Refused("tampered")
    ephemeral = randomness[32:]
    sent_x = x25519_public(ephemeral)
    secret_x = x25519(ephemeral, public_x)
    secret_m, sent_m = ml_kem.encaps(public_m, randomness[:32])
    return x_wing_combine(secret_m, secret_x, sent_x, public_x), sent_m + sent_x


def x_wing_decaps(seed, sent):
    _, secret, public_x, private_x = x_wing_expand(seed)
    sent_m, sent_x = sent[:1088], sent[1088:]
    secret_x = x25519(private_x, sent_x)
    return x_wing_combine(ml_kem.decaps(secret, sent_m), secret_x, sent_x, public_x)


def extract(salt, ikm):
    return hmac.new(salt or bytes(32), ikm, hashlib.sha256).digest()


def expand(prk, info, length):
    out, block, at = b"", b"", 1
    while len(out) < length:
        block = hmac.new(prk, block + info + bytes([at]), hashlib.sha256).digest()
        out, at = out + block, at + 1
    return out[:length]


def labeled_extract(salt, label, ikm):
    return extract(salt, b"HPKE-v1" + HPKE_SUITE + label + ikm)


def labeled_expand(prk, label, info, length):
    return expand(prk, struct.pack(">H", length) + b"HPKE-v1" + HPKE_SUITE + label + info, length)


def hpke_key(shared, info):
    context = b"\x00" + labeled_extract(b"", b"psk_id_hash", b"") + labeled_extract(b"", b"info_hash", info)
    secret = labeled_extract(shared, b"secret", b"")
    return labeled_expand(secret, b"key", context, 32), labeled_expand(secret, b"base_nonce", context, 12)


def hpke_seal(public, info, plaintext, randomness):
    shared, sent = x_wing_encaps(public, randomness)
    key, nonce = hpke_key(shared, info)
    return sent + gcm_seal(key, nonce, b"", plaintext)


def hpke_open(seed, info, sealed):
    key, nonce = hpke_key(x_wing_decaps(seed, sealed[:1120]), info)
    return gcm_open(key, nonce, b"", sealed[1120:])


# --- Identity ---


def statement(keys):
    return lines(keys["account"], keys["sharing"], keys["signing"])


def identity_id(keys):
    return sha256(lines(V2 + b"/identity", statement(keys)))


def identity_aad(keys):
    return lines(V2, b"key", b"identity", b64(identity_id(keys)))


def make_identity(account_key, account, sharing_seed, signing_seed, iv):
    keys = {
        "account": account,
        "sharing": b64(x_wing_public(sharing_seed)),
        "signing": b64(signing_public(signing_seed)),
    }
    wrapped = gcm_seal(account_key, iv, identity_aad(keys), sharing_seed + signing_seed)
    signature = sign(signing_seed, b"/identity", statement(keys))
    sent = {**keys, "signature": b64(signature)}
    return {"id": b64(identity_id(keys)), "sent": sent, "wrapped": b64(wrapped), "iv": b64(iv)}


def open_identity(account_key, keys, wrapped, iv):
    unb64(keys["sharing"], length=1216), unb64(keys["signing"], length=32)
    seeds = gcm_open(account_key, unb64(iv, length=12), identity_aad(keys), unb64(wrapped, length=80))
    if b64(x_wing_public(seeds[:32])) != keys["sharing"] or b64(signing_public(seeds[32:])) != keys["signing"]:
        raise Refused("tampered")
    return {"id": b64(identity_id(keys)), "sharing_seed": b64(seeds[:32]), "signing_seed": b64(seeds[32:])}


def read_identity(sent):
    if not isinstance(sent, dict) or not is_uuid(sent.get("account")):
        raise Refused("tampered")
    unb64(sent.get("sharing"), length=1216)
    public, signature = unb64(sent.get("signing"), length=32), unb64(sent.get("signature"), length=64)
    if not is_signed(public, signature, b"/identity", statement(sent)):
        raise Refused("tampered")
    return {**{name: sent[name] for name in ("account", "sharing", "signing")}, "id": b64(identity_id(sent))}


def pair_digits(one, other):
    return digits(sha256(lines(V2 + b"/pair", b"".join(sorted([one, other])))))


# --- Key of a shared profile ---


def profile_key_id(key, profile_id):
    return b64(hkdf(key, b"", lines(V2 + b"/profile-key-id", profile_id), 16))


def space_key_info(place, recipient_public):
    names = ("space_id", "profile_id", "roster_version", "sender_id", "recipient_id")
    return lines(V2 + b"/space-key", *(place[name] for name in names), b64(sha256(recipient_public)))


def wrap_space_key(data_key, place, signing_seed, recipient_public, randomness):
    if len(recipient_public) != 1216:
        raise Refused("tampered")
    info = space_key_info(place, recipient_public)
    sealed = hpke_seal(recipient_public, info, data_key, randomness)
    return b64(sealed + sign(signing_seed, b"/space-key", info + sealed))


def open_space_key(wrap, place, expected, sharing_seed):
    data = unb64(wrap, length=1232)
    sealed, signature = data[:1168], data[1168:]
    info = space_key_info(place, x_wing_public(sharing_seed))
    if not is_signed(unb64(expected["signing"], length=32), signature, b"/space-key", info + sealed):
        raise Refused("tampered")
    data_key = hpke_open(sharing_seed, info, sealed)
    if profile_key_id(data_key, place["profile_id"]) != expected["key"]:
        raise Refused("tampered")
    return data_key


# --- Roster ---


def breaks(rule):
    return Refused(f"roster_refused:{rule}")


def sign_roster(text, signing_seed):
    data = text.encode()
    return f"{b64(data)}.{b64(sign(signing_seed, b'/roster', data))}"


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value < 2**53


def is_member(member):
    if not isinstance(member, dict) or not is_uuid(member.get("account")) or member.get("role") not in ROLES:
        return False
    unb64(member.get("sharing"), length=32), unb64(member.get("signing"), length=32)
    return True


def read_roster(text):
    """JSON, its bytes and the signature, of what has the form of a roster: the first part of rule 1."""
    try:
        if len(text) > 8192:
            raise Refused("too long")
        first, second = text.split(".")
        data, signature = unb64(first), unb64(second, length=64)
        roster = json.loads(data.decode())
        ids = [member["account"] for member in roster["members"]]
        unb64(roster["key"], length=16)
        is_right = (
            (is_whole(roster["v"]) and roster["v"] == 1)
            and all(is_uuid(roster[name]) for name in ("space", "profile", "by"))
            and all(is_whole(roster[name]) for name in ("version", "epoch"))
            and (roster["previous"] == "" if roster["version"] == 1 else unb64(roster["previous"], length=32))
            and isinstance(roster["due"], bool)
            and all(is_member(member) for member in roster["members"])
            and ids == sorted(set(ids))
            and len(ids) <= 16
            and any(member["role"] == "owner" for member in roster["members"])
        )
    except (Refused, ValueError, KeyError, TypeError):
        raise breaks(1) from None
    if not is_right:
        raise breaks(1)
    return roster, data, signature


def check_step(before, before_data, roster, data, signature):
    members, were = ({each["account"]: each for each in one["members"]} for one in (roster, before))
    by, same = roster["by"], ("v", "space", "profile")
    if any(roster[name] != before[name] for name in same) or roster["version"] != before["version"] + 1:
        raise breaks(1)
    if roster["previous"] != b64(sha256(before_data)):
        raise breaks(1)
    if by not in were or not is_signed(unb64(were[by]["signing"]), signature, b"/roster", data):
        raise breaks(2)
    has_new_key = roster["epoch"] != before["epoch"]
    if has_new_key:
        if roster["epoch"] != before["epoch"] + 1 or roster["key"] == before["key"] or roster["due"]:
            raise breaks(3)
    elif roster["key"] != before["key"] or (before["due"] and not roster["due"]):
        raise breaks(3)
    rank = lambda entry: ROLES.index(entry["role"]) if entry else -1
    is_less = lambda account: rank(members.get(account)) < rank(were[account])
    if were[by]["role"] != "owner":
        rest = [{name: each for name, each in one.items() if name != by} for one in (members, were)]
        if rest[0] != rest[1] or rank(members.get(by)) > rank(were[by]) or has_new_key or not roster["due"]:
            raise breaks(4)
    else:
        if is_less(by) and (has_new_key or not roster["due"]):
            raise breaks(5)
        lowered = [account for account in were if account != by and is_less(account)]
        if any(were[account]["role"] == "owner" or not has_new_key for account in lowered):
            raise breaks(5)
    for account in were.keys() & members.keys() - {by}:
        if any(members[account][name] != were[account][name] for name in ("sharing", "signing")):
            raise breaks(6)


def check_rosters(texts):
    """Rosters from the first one on. The hash and the code of the circle of the last one."""
    before = None
    for text in texts:
        roster, data, signature = read_roster(text)
        if before:
            check_step(*before, roster, data, signature)
        else:
            key = next((each["signing"] for each in roster["members"] if each["account"] == roster["by"]), None)
            if roster["version"] != 1:
                raise breaks(1)
            if key is None or not is_signed(unb64(key), signature, b"/roster", data):
                raise breaks(2)
        before = roster, data
    digest = sha256(before[1])
    return {"hash": b64(digest), "digits": digits(digest)}


# --- Invitation ---


def base64url(data):
    return b64(data).replace("+", "-").replace("/", "_").rstrip("=")


def make_fragment(space_id, invitation_id, secret):
    return base64url(b"\x01" + uuid_bytes(space_id) + uuid_bytes(invitation_id) + secret)


def read_fragment(fragment):
    text = fragment.replace("-", "+").replace("_", "/")
    data = unb64(text + "=" * (-len(text) % 4), "invalid_argument", 65)
    if data[0] != 1 or base64url(data) != fragment:
        raise Refused("invalid_argument")
    ids = {"space_id": uuid_text(data[1:17]), "invitation_id": uuid_text(data[17:33])}
    return {**ids, "secret": b64(data[33:])}


def invitation_keys(invitation_id, secret):
    salt = uuid_bytes(invitation_id)
    proof = hkdf(secret, salt, V2 + b"/invite/proof", 32)
    key = hkdf(secret, salt, V2 + b"/invite/key", 32)
    return {"proof": b64(proof), "proof_hash": b64(sha256(proof)), "key": b64(key)}


def offer_aad(place):
    names = ("space_id", "invitation_id", "role", "expires_at")
    return lines(V2, b"invite-offer", *(place[name] for name in names))


def acceptance_aad(place):
    return lines(V2, b"invite-acceptance", place["space_id"], place["invitation_id"])


def seal_for_link(content, key, aad, iv):
    data = content.encode()
    filled = max(-(-len(data) // 1024), 3) * 1024
    return {"ciphertext": b64(gcm_seal(key, iv, aad, data.ljust(filled))), "iv": b64(iv)}


def open_for_link(sealed, key, aad):
    if not isinstance(sealed, dict):
        raise Refused("tampered")
    data = gcm_open(key, unb64(sealed.get("iv"), length=12), aad, unb64(sealed.get("ciphertext")))
    try:
        return json.loads(data.decode())
    except ValueError:
        raise Refused("format_unsupported") from None


def open_offer(sealed, key, place):
    offer = open_for_link(sealed, key, offer_aad(place))
    try:
        profile, sender, roster = offer["profile"], offer["from"], offer["roster"]
        texts = [profile["name"], profile["kind"], sender["name"]]
        unb64(roster["hash"], length=32)
        if not is_uuid(profile["id"]) or not all(isinstance(each, str) for each in texts) or not is_whole(roster["version"]):
            raise ValueError
        identity = sender.get("identity")
    except (Refused, ValueError, KeyError, TypeError, AttributeError):
        raise Refused("format_unsupported") from None
    return {"profile": profile, "from": {"identity": read_identity(identity), "name": sender["name"]}, "roster": roster}


def open_acceptance(sealed, key, place):
    acceptance = open_for_link(sealed, key, acceptance_aad(place))
    if not isinstance(acceptance, dict) or not isinstance(acceptance.get("name"), str):
        raise Refused("format_unsupported")
    return {"identity": read_identity(acceptance.get("identity")), "name": acceptance["name"]}


# --- Trust book: contacts and spaces ---


def read_entries(value, is_entry):
    if not isinstance(value, dict):
        raise Refused("format_unsupported")
    for name, entry in value.items():
        try:
            is_right = is_uuid(name) and is_entry(entry)
        except (Refused, KeyError, TypeError):
            is_right = False
        if not is_right:
            raise Refused("format_unsupported")
    return value


def is_contact(entry):
    unb64(entry["identity"], length=32)
    return isinstance(entry["name"], str) and isinstance(entry["paired"], bool)


def is_space(entry):
    unb64(entry["roster"]["hash"], length=32)
    return isinstance(entry["relationship"], str) and is_whole(entry["roster"]["version"])


def read_trust_book(content):
    return {
        "contacts": read_entries(content.get("contacts", {}), is_contact),
        "spaces": read_entries(content.get("spaces", {}), is_space),
    }


def merge_contacts(theirs, mine):
    merged = dict(theirs)
    for account, contact in mine.items():
        other = theirs.get(account, contact)
        if other["identity"] != contact["identity"]:
            raise Refused("key_mismatch")
        merged[account] = {**other, **contact, "paired": contact["paired"] or other["paired"]}
    return merged


def merge_spaces(theirs, mine):
    merged = dict(theirs)
    for name, space in mine.items():
        other = theirs.get(name, space)
        one, two = other["roster"], space["roster"]
        if one["version"] == two["version"] and one["hash"] != two["hash"]:
            raise breaks(1)
        merged[name] = {**other, **space, "roster": max(one, two, key=lambda roster: roster["version"])}
    return merged


# --- What can be asked ---


def random_or(task, name, length):
    return unb64(task[name]) if name in task else os.urandom(length)


def seal_offer(task, key):
    return seal_for_link(task["content"], key, offer_aad(task), random_or(task, "iv", 12))


def seal_acceptance(task, key):
    return seal_for_link(task["content"], key, acceptance_aad(task), random_or(task, "iv", 12))


def keys_of(task):
    return {name: task[name] for name in ("account", "sharing", "signing")}


def ask_identity(task, key):
    seeds = (random_or(task, "sharing_seed", 32), random_or(task, "signing_seed", 32))
    made = make_identity(key, task["account"], *seeds, random_or(task, "iv", 12))
    return {**made, "sharing_seed": b64(seeds[0]), "signing_seed": b64(seeds[1])}


def ask_encaps(task, _):
    secret, sent = x_wing_encaps(unb64(task["public"]), unb64(task["randomness"]))
    return {"secret": b64(secret), "sent": b64(sent)}


def ask_wrap(task, _):
    recipient = unb64(task["recipient_public"])
    randomness = random_or(task, "randomness", 64)
    return wrap_space_key(unb64(task["data_key"]), task, unb64(task["signing_seed"]), recipient, randomness)


QUESTIONS = {
    "is_signed": lambda task, _: is_signed_plainly(*(unb64(task[name]) for name in ("public", "signature", "message"))),
    "x_wing_public": lambda task, _: b64(x_wing_public(unb64(task["seed"]))),
    "x_wing_encaps": ask_encaps,
    "x_wing_decaps": lambda task, _: b64(x_wing_decaps(unb64(task["seed"]), unb64(task["sent"]))),
    "make_identity": ask_identity,
    "open_identity": lambda task, key: open_identity(key, keys_of(task), task["wrapped"], task["iv"]),
    "read_identity": lambda task, _: read_identity(task["sent"]),
    "pair_digits": lambda task, _: pair_digits(unb64(task["one"]), unb64(task["other"])),
    "profile_key_id": lambda task, key: profile_key_id(key, task["profile_id"]),
    "wrap_space_key": ask_wrap,
    "open_space_key": lambda task, _: b64(
        open_space_key(task["wrap"], task, task["expected"], unb64(task["sharing_seed"]))
    ),
    "sign_roster": lambda task, _: sign_roster(task["content"], unb64(task["signing_seed"])),
    "check_rosters": lambda task, _: check_rosters(task["rosters"]),
    "make_fragment": lambda task, _: make_fragment(task["space_id"], task["invitation_id"], unb64(task["secret"])),
    "read_fragment": lambda task, _: read_fragment(task["fragment"]),
    "invitation_keys": lambda task, _: invitation_keys(task["invitation_id"], unb64(task["secret"])),
    "seal_offer": seal_offer,
    "open_offer": lambda task, key: open_offer(task["sealed"], key, task),
    "seal_acceptance": seal_acceptance,
    "open_acceptance": lambda task, key: open_acceptance(task["sealed"], key, task),
    "read_trust_book": lambda task, _: read_trust_book(json.loads(task["content"])),
    "merge_contacts": lambda task, _: merge_contacts(task["theirs"], task["mine"]),
    "merge_spaces": lambda task, _: merge_spaces(task["theirs"], task["mine"]),
}
