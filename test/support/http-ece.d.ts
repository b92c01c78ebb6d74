declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  export function decrypt(
    body: Buffer,
    options: { version: string | undefined; privateKey: ECDH; authSecret: string },
  ): Buffer;
}
