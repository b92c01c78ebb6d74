import { randomBytes } from 'node:crypto';
import { type Answer, Api, type CallOptions } from '@app/testing';

/** Settings under which limits count, and a test chooses the address that it comes from. */
export const LIMITED = { RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' };

let block = randomBytes(2).readUInt16BE();

/** An address in a /24 that no other one is in: the limits of a network would join them. */
export function anAddress(): string {
  block = (block + 1) % 2 ** 16;
  return `10.${block >> 8}.${block & 255}.${randomBytes(1)[0]}`;
}

/** The service as a client behind one proxy reaches it. */
export class ClientAt extends Api {
  constructor(
    url: string,
    readonly address: string = anAddress(),
  ) {
    super(url);
  }

  override call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    return super.call(method, path, body, {
      ...options,
      headers: { 'X-Forwarded-For': this.address, ...options.headers },
    });
  }
}
