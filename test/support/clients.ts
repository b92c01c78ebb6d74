import { randomBytes } from 'node:crypto';
import { type Answer, Api, type CallOptions } from '@app/testing';

/** Settings under which limits count, and a test chooses the address that it comes from. */
export const LIMITED = { RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' };

/** An address that no other test has. */
export function anAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`;
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
