"""ML-KEM-768, written from FIPS 203 alone. Names and numbers of algorithms are those of the standard.

For tests only: it is slow, and its time depends on secrets.
"""

import hashlib

N, Q, K = 256, 3329, 3
ETA1 = ETA2 = 2
DU, DV = 10, 4
PUBLIC_BYTES = 384 * K + 32
CIPHERTEXT_BYTES = 32 * (DU * K + DV)


def bit_reversed(value):
    return int(format(value, "07b")[::-1], 2)


# Appendix A: 17 is a primitive 256th root of unity modulo 3329.
ZETAS = [pow(17, bit_reversed(i), Q) for i in range(128)]
GAMMAS = [pow(17, 2 * bit_reversed(i) + 1, Q) for i in range(128)]


def hash_g(data):
    digest = hashlib.sha3_512(data).digest()
    return digest[:32], digest[32:]


def hash_h(data):
    return hashlib.sha3_256(data).digest()


def hash_j(data):
    return hashlib.shake_256(data).digest(32)


def prf(eta, seed, number):
    return hashlib.shake_256(seed + bytes([number])).digest(64 * eta)


# --- Section 4.2.1: bits, bytes, compression ---


def bits_of(data):
    return [byte >> at & 1 for byte in data for at in range(8)]


def byte_encode(d, values):
    """Algorithm 5."""
    number = 0
    for at, value in enumerate(values):
        number |= value << d * at
    return number.to_bytes(32 * d, "little")


def byte_decode(d, data):
    """Algorithm 6."""
    number = int.from_bytes(data, "little")
    modulus = Q if d == 12 else 1 << d
    return [(number >> d * at & (1 << d) - 1) % modulus for at in range(N)]


def compress(d, values):
    return [((value << d) + Q // 2) // Q % (1 << d) for value in values]


def decompress(d, values):
    return [(value * Q + (1 << d - 1)) >> d for value in values]


# --- Section 4.2.2: sampling ---


def sample_ntt(seed):
    """Algorithm 7. 34 bytes in; the stream of SHAKE128 is taken three bytes at a time."""
    length = 3 * 336
    while True:
        stream = hashlib.shake_128(seed).digest(length)
        values = []
        for at in range(0, length, 3):
            first = stream[at] + 256 * (stream[at + 1] % 16)
            second = stream[at + 1] // 16 + 16 * stream[at + 2]
            values += [each for each in (first, second) if each < Q]
        if len(values) >= N:
            return values[:N]
        length += 168


def sample_cbd(eta, data):
    """Algorithm 8."""
    bits = bits_of(data)
    pairs = [bits[2 * eta * at : 2 * eta * (at + 1)] for at in range(N)]
    return [(sum(each[:eta]) - sum(each[eta:])) % Q for each in pairs]


# --- Section 4.3: the number-theoretic transform ---


def ntt(values):
    """Algorithm 9."""
    out, i, length = list(values), 1, 128
    while length >= 2:
        for start in range(0, N, 2 * length):
            zeta, i = ZETAS[i], i + 1
            for j in range(start, start + length):
                t = zeta * out[j + length] % Q
                out[j], out[j + length] = (out[j] + t) % Q, (out[j] - t) % Q
        length //= 2
    return out


def inverse_ntt(values):
    """Algorithm 10."""
    out, i, length = list(values), 127, 2
    while length <= 128:
        for start in range(0, N, 2 * length):
            zeta, i = ZETAS[i], i - 1
            for j in range(start, start + length):
                t = out[j]
                out[j], out[j + length] = (t + out[j + length]) % Q, zeta * (out[j + length] - t) % Q
        length *= 2
    return [each * 3303 % Q for each in out]


def multiply(one, other):
    """Algorithms 11 and 12."""
    out = []
    for i in range(128):
        (a0, a1), (b0, b1) = one[2 * i : 2 * i + 2], other[2 * i : 2 * i + 2]
        out += [(a0 * b0 + a1 * b1 * GAMMAS[i]) % Q, (a0 * b1 + a1 * b0) % Q]
    return out


def add(*all_values):
    return [sum(each) % Q for each in zip(*all_values)]


def dot(row, vector):
    return add(*(multiply(one, other) for one, other in zip(row, vector)))


# --- Section 5: K-PKE ---


def matrix_of(rho):
    return [[sample_ntt(rho + bytes([j, i])) for j in range(K)] for i in range(K)]


def noise(seed, first, eta=ETA1):
    return [sample_cbd(eta, prf(eta, seed, first + at)) for at in range(K)]


def pke_key_gen(d):
    """Algorithm 13."""
    rho, sigma = hash_g(d + bytes([K]))
    a = matrix_of(rho)
    s = [ntt(each) for each in noise(sigma, 0)]
    e = [ntt(each) for each in noise(sigma, K)]
    t = [add(dot(a[i], s), e[i]) for i in range(K)]
    encode = lambda vector: b"".join(byte_encode(12, each) for each in vector)
    return encode(t) + rho, encode(s)


def pke_encrypt(public, message, randomness):
    """Algorithm 14."""
    t = [byte_decode(12, public[384 * i : 384 * (i + 1)]) for i in range(K)]
    a = matrix_of(public[384 * K :])
    y = [ntt(each) for each in noise(randomness, 0)]
    e1 = noise(randomness, K, ETA2)
    e2 = sample_cbd(ETA2, prf(ETA2, randomness, 2 * K))
    u = [add(inverse_ntt(dot([a[j][i] for j in range(K)], y)), e1[i]) for i in range(K)]
    mu = decompress(1, byte_decode(1, message))
    v = add(inverse_ntt(dot(t, y)), e2, mu)
    first = b"".join(byte_encode(DU, compress(DU, each)) for each in u)
    return first + byte_encode(DV, compress(DV, v))


def pke_decrypt(secret, ciphertext):
    """Algorithm 15."""
    size = 32 * DU
    u = [decompress(DU, byte_decode(DU, ciphertext[size * i : size * (i + 1)])) for i in range(K)]
    v = decompress(DV, byte_decode(DV, ciphertext[size * K :]))
    s = [byte_decode(12, secret[384 * i : 384 * (i + 1)]) for i in range(K)]
    product = inverse_ntt(dot(s, [ntt(each) for each in u]))
    return byte_encode(1, compress(1, [(one - other) % Q for one, other in zip(v, product)]))


# --- Sections 6 and 7: ML-KEM ---


def key_gen(d, z):
    """Algorithm 16: the public and the secret key."""
    public, secret = pke_key_gen(d)
    return public, secret + public + hash_h(public) + z


def is_public_key(public):
    """Section 7.2: the length, and each coefficient below the modulus."""
    if len(public) != PUBLIC_BYTES:
        return False
    parts = [public[384 * i : 384 * (i + 1)] for i in range(K)]
    return all(byte_encode(12, byte_decode(12, each)) == each for each in parts)


def encaps(public, message):
    """Algorithm 17: the shared secret and the ciphertext."""
    key, randomness = hash_g(message + hash_h(public))
    return key, pke_encrypt(public, message, randomness)


def decaps(secret, ciphertext):
    """Algorithm 18."""
    pke_secret, rest = secret[: 384 * K], secret[384 * K :]
    public, digest, z = rest[:PUBLIC_BYTES], rest[PUBLIC_BYTES:-32], rest[-32:]
    message = pke_decrypt(pke_secret, ciphertext)
    key, randomness = hash_g(message + digest)
    return key if pke_encrypt(public, message, randomness) == ciphertext else hash_j(z + ciphertext)
