// A file of its own, imported on demand: so that a bundler leaves out what of the two packages is not used.
import { Aes256Gcm, CipherSuite, HkdfSha256 } from '@hpke/core';
import { XWing } from '@hpke/hybridkem-x-wing';

/** X-Wing is KEM 647a, HKDF-SHA256 is KDF 0001, AES-256-GCM is AEAD 0002. Source: RFC 9180, section 7. */
export function xWingSuite(): { kem: XWing; suite: CipherSuite } {
  const kem = new XWing();
  return { kem, suite: new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes256Gcm() }) };
}
