"""The encryption contract, written from libs/client/README.md alone. Section names are those of the README. Shared profiles are
in a file of their own.

Reads one JSON document `[{ "do": name, ... }, ...]` from standard input, and writes the list of answers: `{ "ok": value }` or
`{ "refused": code }`. Bytes are base64.
"""

import datetime
import hashlib
import hmac
import json
import os
import re
import struct
import sys
import unicodedata

from basics import LF, Refused, V2, b64, gcm_open, gcm_seal, hkdf, unb64, uuid_bytes, uuid_text
from shared_profiles import QUESTIONS

V1 = b"health-records/v1"
ZERO_STATE = bytes(16)


# --- The encryption contract ---


def pbkdf2(password, salt, iterations):
    return hashlib.pbkdf2_hmac("sha256", password, salt, iterations, 32)


# --- Password ---


def password_bytes(password):
    return unicodedata.normalize("NFKC", password).encode("utf-8")


def check_kdf(kdf, iterations, salt):
    if kdf != "pbkdf2-sha256" or not 600_000 <= iterations <= 10_000_000 or not 16 <= len(salt) <= 64:
        raise Refused("kdf_refused")


def password_keys(password, kdf, iterations, salt):
    check_kdf(kdf, iterations, salt)
    master = pbkdf2(password_bytes(password), salt, iterations)
    return {
        "auth_secret": b64(pbkdf2(master, V1 + b"/password/auth", 1)),
        "wrapping_key": pbkdf2(master, V1 + b"/password/wrap", 1),
    }


# --- Recovery phrase ---


def canonical_phrase(typed, words):
    text = unicodedata.normalize("NFKD", typed).lower().replace("\u200b", " ")
    text = "".join(each for each in text if unicodedata.category(each)[0] != "M" and unicodedata.category(each) != "Cf")
    parts = "".join(
        " " if each.isspace() or unicodedata.category(each)[0] == "Z" or unicodedata.category(each) == "Cc" else each
        for each in text
    ).split(" ")
    stripped = []
    for part in parts:
        while part and unicodedata.category(part[0])[0] != "L":
            part = part[1:]
        while part and unicodedata.category(part[-1])[0] != "L":
            part = part[:-1]
        if part:
            stripped.append(part)
    if len(stripped) != 12:
        raise Refused("phrase_word_count")
    if any(word not in words for word in stripped):
        raise Refused("phrase_unknown_word")
    bits = "".join(format(words.index(word), "011b") for word in stripped)
    entropy = int(bits[:128], 2).to_bytes(16, "big")
    if format(hashlib.sha256(entropy).digest()[0], "08b")[:4] != bits[128:]:
        raise Refused("phrase_checksum")
    return " ".join(stripped)


def recovery_keys(canonical):
    master = pbkdf2(canonical.encode("utf-8"), V1 + b"/recovery", 600_000)
    return {
        "recovery_proof": b64(pbkdf2(master, V1 + b"/recovery/proof", 1)),
        "wrapping_key": pbkdf2(master, V1 + b"/recovery/wrap", 1),
    }


# --- Keys ---


def account_aad(purpose, account_id):
    return LF.join([V2, b"key", purpose.encode(), *([account_id.encode()] if purpose == "password" else [])])


def wrap_account_key(data_key, wrapping_key, purpose, account_id, iv):
    return b64(gcm_seal(wrapping_key, iv, account_aad(purpose, account_id), data_key))


def open_account_key(wrapped, iv, wrapping_key, purpose, account_id):
    nonce, data = unb64(iv, length=12), unb64(wrapped, length=48)
    try:
        return 2, gcm_open(wrapping_key, nonce, account_aad(purpose, account_id), data)
    except Refused:
        return 1, gcm_open(wrapping_key, nonce, LF.join([V1, b"key", purpose.encode()]), data)


def wrap_for_recovery(data_key, wrapping_key, account_id, iv):
    aad = LF.join([V2, b"key", b"recovery", account_id.encode()])
    return b64(uuid_bytes(account_id) + gcm_seal(wrapping_key, iv, aad, data_key))


def open_recovery_wrap(wrapped, iv, wrapping_key):
    """The account that the wrap names, and the account key."""
    data = unb64(wrapped)
    if len(data) != 64:
        raise Refused("tampered")
    account_id = uuid_text(data[:16])
    aad = LF.join([V2, b"key", b"recovery", account_id.encode()])
    return account_id, gcm_open(wrapping_key, unb64(iv, length=12), aad, data[16:])


def account_data_key(account_key):
    return hkdf(account_key, b"", V2 + b"/account-data", 32)


def former_aad(key_id):
    return LF.join([V2, b"key", b"former", key_id.encode()])


def wrap_former(former, account_key, iv):
    return b64(gcm_seal(account_key, iv, former_aad(b64(account_key_id(former))), former))


def open_former(wrapped, iv, account_key, key_id):
    return gcm_open(account_key, unb64(iv, length=12), former_aad(key_id), unb64(wrapped, length=48))


def chain_aad(profile_id, epoch):
    return LF.join([V2, b"key", b"chain", profile_id.encode(), str(epoch).encode()])


def wrap_link(former, epoch, profile_key, profile_id, iv):
    return b64(gcm_seal(profile_key, iv, chain_aad(profile_id, epoch), former))


def open_chain(chain, profile_key, epoch, profile_id):
    newest = epoch
    for link in chain:
        if not link["epoch"] < newest:
            raise Refused("format_unsupported")
        newest = link["epoch"]
    return [
        {"epoch": link["epoch"], "key": gcm_open(
            profile_key,
            unb64(link["iv"], length=12),
            chain_aad(profile_id, link["epoch"]),
            unb64(link["wrapped"], length=48),
        )}
        for link in chain
    ]


def passkey_wrapping_key(prf, account_id, credential_id):
    info = LF.join([V2 + b"/passkey/wrap", account_id.encode(), credential_id.encode()])
    return hkdf(prf, b"", info, 32)


def passkey_aad(account_id, credential_id, key_id):
    return LF.join([V2, b"key", b"passkey", account_id.encode(), credential_id.encode(), key_id.encode()])


def wrap_for_passkey(data_key, prf, place, iv):
    key = passkey_wrapping_key(prf, *place)
    return b64(gcm_seal(key, iv, passkey_aad(*place, b64(account_key_id(data_key))), data_key))


def open_passkey_wrap(wrapped, iv, prf, place, key_id):
    key = passkey_wrapping_key(prf, *place)
    data_key = gcm_open(key, unb64(iv, length=12), passkey_aad(*place, key_id), unb64(wrapped, length=48))
    if b64(account_key_id(data_key)) != key_id:
        raise Refused("key_mismatch")
    return data_key


def account_key_id(account_key):
    return hkdf(account_key, b"", V2 + b"/account-key-id", 16)


def uuid_8_of(account_key, info):
    data = bytearray(hkdf(account_key, b"", info, 16))
    data[6], data[8] = data[6] & 0x0F | 0x80, data[8] & 0x3F | 0x80
    return uuid_text(data)


def account_id_of(account_key):
    return uuid_8_of(account_key, V2 + b"/account-id")


def pseudonym_of(account_key, text):
    return uuid_8_of(account_key, LF.join([V2 + b"/pseudonym", text.encode()]))


def profile_key_aad(profile_id, epoch, key_id):
    return LF.join([V2, b"key", b"profile", profile_id.encode(), str(epoch).encode(), b64(key_id).encode()])


def wrap_profile_key(profile_key, epoch, account_key, profile_id, iv):
    key_id = account_key_id(account_key)
    sealed = gcm_seal(account_key, iv, profile_key_aad(profile_id, epoch, key_id), profile_key)
    return b64(key_id + struct.pack(">I", epoch) + sealed)


def open_profile_key(wrapped, iv, account_key, profile_id):
    data, nonce = unb64(wrapped), unb64(iv, length=12)
    if len(data) == 48:
        return 1, gcm_open(account_key, nonce, LF.join([V1, b"key", b"profile", profile_id.encode()]), data)
    if len(data) != 68:
        raise Refused("tampered")
    key_id = account_key_id(account_key)
    if data[:16] != key_id:
        raise Refused("key_mismatch")
    (epoch,) = struct.unpack(">I", data[16:20])
    return epoch, gcm_open(account_key, nonce, profile_key_aad(profile_id, epoch, key_id), data[20:])


# --- Proof of a dose ---


def dose_mac(key, profile_id, dose, generation):
    taken = "taken" if dose["taken"] else "skipped"
    place = [profile_id, dose["medication_id"], dose["dose_id"]]
    parts = [*place, str(generation), taken, str(dose["milliseconds"])]
    dose_key = hkdf(key, b"", V2 + b"/dose-proof", 32)
    return hmac.digest(dose_key, LF.join([V2, b"dose", *(each.encode() for each in parts)]), "sha256")


def prove_dose(key, epoch, generation, profile_id, dose):
    head = struct.pack(">BII", 1, epoch, generation) + bytes.fromhex(profile_id.replace("-", ""))
    return b64(head + dose_mac(key, profile_id, dose, generation))


def is_proven(proof, key, epoch, dose):
    try:
        data = unb64(proof, length=57)
    except Refused:
        return False
    version, of_epoch, generation = struct.unpack(">BII", data[:9])
    if version != 1 or of_epoch != epoch or generation == 0:
        return False
    return hmac.compare_digest(data[25:], dose_mac(key, uuid_text(data[9:25]), dose, generation))


# --- Records ---


def padded_length(length):
    if length <= 256:
        return 256
    e = length.bit_length() - 1
    s = e.bit_length()
    step = 1 << (e - s)
    return (length + step - 1) // step * step


def frame(head, content):
    framed = head + struct.pack(">I", len(content)) + content
    return framed + bytes(padded_length(len(framed)) - len(framed))


def unframe(framed, head_length):
    if len(framed) < 256:
        raise Refused("format_unsupported")
    (length,) = struct.unpack(">I", framed[head_length : head_length + 4])
    start = head_length + 4
    end = start + length
    if padded_length(end) != len(framed) or any(framed[end:]):
        raise Refused("format_unsupported")
    return framed[:head_length], framed[start:end]


def record_aad(prefix, place):
    return LF.join([prefix, b"record", *[place[name].encode() for name in ("profile_id", "kind", "record_id")]])


def parse_object(content):
    try:
        value = json.loads(content.decode("utf-8"))
    except ValueError:
        raise Refused("format_unsupported") from None
    if not isinstance(value, dict):
        raise Refused("format_unsupported")
    return value


def seal_record(content, key, epoch, generation, previous, place, iv):
    head = b"\x02" + struct.pack(">II", epoch, generation) + previous
    return b64(gcm_seal(key, iv, record_aad(V2, place), frame(head, content)))


def open_record(ciphertext, iv, key, epoch, place):
    data, nonce = unb64(ciphertext), unb64(iv, length=12)
    try:
        framed = gcm_open(key, nonce, record_aad(V2, place), data)
    except Refused:
        framed = gcm_open(key, nonce, record_aad(V1, place), data)
        if framed[:1] != b"\x01" or epoch != 1:
            raise Refused("format_unsupported") from None
        _, content = unframe(framed, 1)
        parse_object(content)
        return {"content": content, "generation": 1, "previous": ZERO_STATE, "state": data[-16:]}
    if framed[:1] != b"\x02":
        raise Refused("format_unsupported")
    head, content = unframe(framed, 25)
    of_epoch, generation = struct.unpack(">II", head[1:9])
    if generation == 0 or of_epoch != epoch:
        raise Refused("format_unsupported")
    parse_object(content)
    return {"content": content, "generation": generation, "previous": head[9:], "state": data[-16:]}


def encode_head(entries):
    items = sorted((bytes.fromhex(each.replace("-", "")), generation) for each, generation in entries)
    return b64(b"".join(each + struct.pack(">I", generation) for each, generation in items[-1000:]))


def decode_head(text):
    data = unb64(text, "format_unsupported")
    if len(data) % 20 or len(data) > 20_000:
        raise Refused("format_unsupported")
    entries, before = [], b""
    for at in range(0, len(data), 20):
        each = data[at : at + 16]
        (generation,) = struct.unpack(">I", data[at + 16 : at + 20])
        if each <= before or generation == 0:
            raise Refused("format_unsupported")
        before = each
        entries.append([uuid_text(each), generation])
    return entries


def encode_present(entries, kinds):
    present = {}
    for kind in sorted(set(kinds.values())):
        bits = "".join("1" if kinds.get(each) == kind else "0" for each, _ in sorted(entries))
        bits += "0" * (-len(bits) % 8)
        present[kind] = b64(int(bits, 2).to_bytes(len(bits) // 8, "big"))
    return present


def decode_present(entries, present):
    if not isinstance(present, dict):
        raise Refused("format_unsupported")
    kinds = {}
    for kind, text in present.items():
        data = unb64(text, "format_unsupported", (len(entries) + 7) // 8)
        for at, (each, _) in enumerate(entries):
            if data[at // 8] & 0x80 >> at % 8:
                kinds[each] = kind
    return kinds


# --- Time of edit ---

FAR_AHEAD_MS = 5 * 60_000


def read_stamp(value):
    """Milliseconds, count and client; nothing for another value."""
    try:
        data = unb64(value, length=12)
    except Refused:
        return None
    return int.from_bytes(data[:6], "big"), int.from_bytes(data[6:8], "big"), data[8:]


def make_stamp(milliseconds, count, client):
    return b64(milliseconds.to_bytes(6, "big") + count.to_bytes(2, "big") + client)


def stamp_after(before, now, client):
    milliseconds, count, _ = read_stamp(before) or (-1, 0, b"")
    if milliseconds < now or milliseconds > now + FAR_AHEAD_MS:
        return make_stamp(now, 0, client)
    return make_stamp(milliseconds + 1, 0, client) if count == 65535 else make_stamp(milliseconds, count + 1, client)


def stamp_order(stamp, now):
    """Greater for the later one."""
    read = read_stamp(stamp)
    return (0,) if read is None else (1 if read[0] > now + FAR_AHEAD_MS else 2, *read)


def stamp_of(version, unit):
    edited = version.get("edited") or {}
    return edited.get(unit, edited.get(""))


# --- Units and merge ---

MEDICINE_ALONE = {"profileId"} | {
    "details." + name for name in ("notes", "prescriber", "reason", "stock", "skips", "changes", "seen")
}
PROFILE_UNITS = ("allergies", "conditions", "weight", "egfr", "pregnant", "birthDate", "species")
LISTS = ("history", "questions")


def unit_of(kind, field):
    if kind == "medication":
        return "" if field in MEDICINE_ALONE else "medicine"
    if kind == "health-stat":
        return "" if field in ("profileId", "details.note") else "reading"
    if kind == "profile" and field[:8] == "details." and field[8:] in PROFILE_UNITS:
        return field[8:]
    return ""


def fields_of(version):
    fields = {"details." + name: value for name, value in version["details"].items() if name not in LISTS}
    fields.update({"meta." + name: value for name, value in version["meta"].items()})
    if "profileId" in version:
        fields["profileId"] = version["profileId"]
    return fields


def time_text(stamp):
    milliseconds = (read_stamp(stamp) or (0,))[0]
    at = datetime.datetime.fromtimestamp(milliseconds // 1000, datetime.timezone.utc)
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + format(milliseconds % 1000, "03d") + "Z"


def united(*lists):
    """All entries of the lists, each once."""
    return list({json.dumps(each, sort_keys=True): each for each in sum(lists, [])}.values())


def merge(kind, base, mine, theirs, now):
    empty = {"details": {}, "meta": {}}
    sides = [fields_of(each) for each in (base or empty, mine, theirs)]
    parts = {}
    for field in {**sides[1], **sides[2]}:
        unit = unit_of(kind, field)
        parts.setdefault(unit or field, (unit, []))[1].append(field)
    merged, times, history, questions, changed_again = {}, {}, [], [], set()
    for unit, fields in parts.values():
        was, my, their = [[side.get(field) for field in fields] for side in sides]
        here, there = base is None or my != was, base is None or their != was
        my_time, their_time = stamp_of(mine, unit), stamp_of(theirs, unit)
        conflict = here and there and my != their
        mine_later = stamp_order(my_time, now) > stamp_order(their_time, now)
        takes_mine = mine_later if conflict else here
        stands, lost = (sides[1], sides[2]) if takes_mine else (sides[2], sides[1])
        merged.update({field: stands[field] for field in fields if field in stands})
        if here and unit:
            changed_again.add(stamp_of(base or empty, unit))
        if here or there:
            time = my_time if takes_mine and my != their else their_time
            if stamp_order(time, now) > stamp_order(times.get(unit), now):
                times[unit] = time
        if not conflict:
            continue
        lost_time = their_time if takes_mine else my_time
        values = {field: lost.get(field) for field in fields if sides[1].get(field) != sides[2].get(field)}
        if unit:
            questions.append({"unit": unit, "values": values, "edited": lost_time or ""})
        else:
            history += [{"field": each, "value": values[each], "at": time_text(lost_time)} for each in values]
    of = lambda version, name: (version or empty)["details"].get(name, [])
    history = sorted(united(of(theirs, "history"), of(mine, "history"), history), key=lambda each: each["at"])
    gone = lambda each: each in of(base, "questions") and not (
        each in of(mine, "questions") and each in of(theirs, "questions")
    )
    earlier = united(of(theirs, "questions"), of(mine, "questions"))
    earlier = [each for each in earlier if not gone(each) and each["edited"] not in changed_again - {None, ""}]
    is_open = lambda each: any(merged.get(field) != value for field, value in each["values"].items())
    questions = [each for each in earlier + questions if is_open(each)]
    result = {"details": {}, "meta": {}, "edited": {}}
    for field, value in merged.items():
        where, _, name = field.partition(".")
        if name:
            result[where][name] = value
        else:
            result[where] = value
    for name, entries in (("history", history[-50:]), ("questions", questions[-20:])):
        if entries:
            result["details"][name] = entries
    for unit in {"": 0, **(theirs.get("edited") or {}), **times}:
        result["edited"][unit] = times.get(unit) or stamp_of(theirs, unit)
    rest = result["edited"][""]
    result["edited"] = {unit: time for unit, time in result["edited"].items() if time and (not unit or time != rest)}
    return result


# --- Encrypted export ---


def export_key(secret, header):
    salt = unb64(header["salt"], "import_malformed")
    check_kdf(header["kdf"], header["iterations"], salt)
    return pbkdf2(pbkdf2(secret, salt, header["iterations"]), V1 + b"/export", 1)


def seal_file(content, password, salt, iv):
    header = {"secret": "password", "kdf": "pbkdf2-sha256", "iterations": 600_000, "salt": b64(salt)}
    header.update({"cipher": "aes-256-gcm", "iv": b64(iv)})
    text = json.dumps(header, separators=(",", ":")).encode()
    head = b"HRSEXP\x01" + struct.pack(">I", len(text)) + text
    sealed = gcm_seal(export_key(password_bytes(password), header), iv, head, frame(b"\x01", content))
    return b64(head + sealed)


def open_file(file, password):
    data = unb64(file)
    if data[:6] != b"HRSEXP":
        raise Refused("import_malformed")
    if data[6:7] != b"\x01":
        raise Refused("import_version")
    (length,) = struct.unpack(">I", data[7:11])
    if length > 4096:
        raise Refused("import_malformed")
    head, sealed = data[: 11 + length], data[11 + length :]
    try:
        header = parse_object(head[11:])
    except Refused:
        raise Refused("import_malformed") from None
    if header.get("secret") not in ("password", "recovery-phrase") or header.get("cipher") != "aes-256-gcm":
        raise Refused("import_malformed")
    key = export_key(password_bytes(password), header)
    try:
        framed = gcm_open(key, unb64(header["iv"], length=12), head, sealed)
    except Refused:
        raise Refused("import_secret_wrong") from None
    return unframe(framed, 1)[1]


# --- What can be asked ---


def iv_of(task):
    return unb64(task["iv"]) if "iv" in task else os.urandom(12)


def answer(task):
    name = task["do"]
    key = unb64(task["key"]) if "key" in task else None
    if name == "password":
        keys = password_keys(task["password"], task["kdf"], task["iterations"], unb64(task["salt"]))
        return {**keys, "wrapping_key": b64(keys["wrapping_key"])}
    if name == "recovery":
        canonical = canonical_phrase(task["typed"], task["words"])
        keys = recovery_keys(canonical)
        return {**keys, "canonical": canonical, "wrapping_key": b64(keys["wrapping_key"])}
    if name == "canonical_phrase":
        return canonical_phrase(task["typed"], task["words"])
    if name == "wrap_account_key":
        iv = iv_of(task)
        place = (task["purpose"], task["account_id"], iv)
        return {"wrapped": wrap_account_key(unb64(task["data_key"]), key, *place), "iv": b64(iv)}
    if name == "open_account_key":
        place = (task["purpose"], task["account_id"])
        version, data_key = open_account_key(task["wrapped"], task["iv"], key, *place)
        names = {"id": b64(account_key_id(data_key)), "account_id_of_key": account_id_of(data_key)}
        return {"version": version, "data_key": b64(data_key), **names}
    if name == "wrap_for_recovery":
        iv = iv_of(task)
        return {"wrapped": wrap_for_recovery(unb64(task["data_key"]), key, task["account_id"], iv), "iv": b64(iv)}
    if name == "open_recovery_wrap":
        account_id, data_key = open_recovery_wrap(task["wrapped"], task["iv"], key)
        return {"account_id": account_id, "data_key": b64(data_key)}
    if name == "account_data_key":
        return b64(account_data_key(key))
    if name == "wrap_former":
        iv = iv_of(task)
        return {"wrapped": wrap_former(unb64(task["former"]), key, iv), "iv": b64(iv)}
    if name == "open_former":
        return b64(open_former(task["wrapped"], task["iv"], key, task["id"]))
    if name == "wrap_link":
        iv = iv_of(task)
        return wrap_link(unb64(task["former"]), task["epoch"], key, task["profile_id"], iv)
    if name == "open_chain":
        links = open_chain(task["chain"], key, task["epoch"], task["profile_id"])
        return [{"epoch": link["epoch"], "key": b64(link["key"])} for link in links]
    if name == "pseudonym":
        return pseudonym_of(key, task["text"])
    if name == "wrap_for_passkey":
        iv, place = iv_of(task), (task["account_id"], task["credential_id"])
        return {"wrapped": wrap_for_passkey(unb64(task["data_key"]), unb64(task["prf"]), place, iv), "iv": b64(iv)}
    if name == "open_passkey_wrap":
        place = (task["account_id"], task["credential_id"])
        wrap = (task["wrapped"], task["iv"], unb64(task["prf"]))
        return {"data_key": b64(open_passkey_wrap(*wrap, place, task["account_key_id"]))}
    if name == "wrap_profile_key":
        iv = iv_of(task)
        wrapped = wrap_profile_key(unb64(task["data_key"]), task["epoch"], key, task["profile_id"], iv)
        return {"wrapped": wrapped, "iv": b64(iv)}
    if name == "open_profile_key":
        epoch, data_key = open_profile_key(task["wrapped"], task["iv"], key, task["profile_id"])
        return {"data_key": b64(data_key), "epoch": epoch}
    if name == "seal_record":
        iv = iv_of(task)
        lineage = (task["epoch"], task["generation"], unb64(task["previous"]))
        return {"ciphertext": seal_record(task["content"].encode(), key, *lineage, task, iv), "iv": b64(iv)}
    if name == "open_record":
        opened = open_record(task["ciphertext"], task["iv"], key, task["epoch"], task)
        bytes_of = {each: b64(opened[each]) for each in ("previous", "state")}
        return {"content": opened["content"].decode(), "generation": opened["generation"], **bytes_of}
    if name == "pad":
        return padded_length(task["length"])
    if name == "encode_head":
        return encode_head(task["entries"])
    if name == "decode_head":
        return decode_head(task["head"])
    if name == "encode_present":
        return encode_present(task["entries"], task["kinds"])
    if name == "decode_present":
        return decode_present(task["entries"], task["present"])
    if name == "prove_dose":
        return prove_dose(key, task["epoch"], task["generation"], task["profile_id"], task)
    if name == "is_proven":
        return is_proven(task["proof"], key, task["epoch"], task)
    if name == "read_stamp":
        read = read_stamp(task["stamp"])
        return read and {"milliseconds": read[0], "count": read[1], "client_hex": read[2].hex()}
    if name == "make_stamp":
        return make_stamp(task["milliseconds"], task["count"], bytes.fromhex(task["client_hex"]))
    if name == "stamp_after":
        return stamp_after(task["before"], task["now_ms"], bytes.fromhex(task["client_hex"]))
    if name == "later":
        is_first = stamp_order(task["a"], task["now_ms"]) > stamp_order(task["b"], task["now_ms"])
        return "a" if is_first else "b"
    if name == "merge":
        return merge(task["kind"], task["base"], task["mine"], task["theirs"], task["now_ms"])
    if name == "seal_file":
        salt = unb64(task["salt"]) if "salt" in task else os.urandom(16)
        return seal_file(task["content"].encode(), task["password"], salt, iv_of(task))
    if name == "open_file":
        return open_file(task["file"], task["password"]).decode()
    return QUESTIONS[name](task, key)


def main():
    answers = []
    for task in json.load(sys.stdin):
        try:
            answers.append({"ok": answer(task)})
        except Refused as refused:
            answers.append({"refused": refused.code})
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
