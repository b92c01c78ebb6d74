import { createHash } from 'node:crypto';
import { type Answer, Api, type CallOptions } from '@app/testing';
import type { Secret } from '../support/traces';
import { HIDDEN } from './canaries';
import type { Place } from './searched-service';

/** What a browser and the proxy in front say of a person. */
const TELLTALE_HEADERS = {
  'X-Forwarded-For': HIDDEN.address,
  'User-Agent': HIDDEN.userAgent,
  Cookie: HIDDEN.cookie,
  Referer: HIDDEN.referer,
};

/** Keeps what the service answers: all headers, the bodies of errors, and the tokens that it hands out. */
export class Witness {
  readonly #headers: string[] = [];
  readonly #errors: string[] = [];
  readonly #tokens = new Set<string>();
  readonly codes = new Set<string>();
  readonly #requestIds = new Set<string>();

  /** For the client library: `fetch` with telltale headers. */
  readonly fetch: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(TELLTALE_HEADERS)) headers.set(name, value);
    const answer = await fetch(input, { ...init, headers });
    this.note(answer.status, [...answer.headers], await answer.clone().text());
    return answer;
  };

  note(status: number, headers: [string, string][], text: string): void {
    this.#headers.push(headers.map(([name, value]) => `${name}: ${value}`).join('\n'));
    if (status < 400) {
      for (const [, token] of text.matchAll(/"(?:refresh_)?token":"([^"]+)"/g)) this.#tokens.add(token);
      return;
    }
    this.#errors.push(text);
    const { code, request_id: requestId } = JSON.parse(text) as { code: string; request_id: string };
    this.codes.add(code);
    this.#requestIds.add(requestId);
  }

  /** An answer to what was no request. */
  noteRaw(answer: string): void {
    const [headers, ...body] = answer.split('\r\n\r\n');
    this.#headers.push(headers);
    this.#errors.push(...body);
  }

  get places(): Place[] {
    return [
      ['the headers of answers', Buffer.from(this.#headers.join('\n\n'))],
      ['the error bodies', Buffer.from(this.#errors.join('\n\n'))],
    ];
  }

  /** Tokens, and their signatures alone. */
  get tokens(): Secret[] {
    return [...this.#tokens].flatMap((value, at) => [
      { what: `token ${at}`, value },
      { what: `signature of token ${at}`, value: value.split('.')[2] },
    ]);
  }

  /** What is no secret, and shows by being found that a place was searched. */
  get marks(): Secret[] {
    const hash = (token: string) => createHash('sha256').update(token).digest();
    return [
      ...[...this.#tokens].map((token) => ({ what: 'hash of a token', value: hash(token) })),
      ...[...this.#requestIds].map((value) => ({ what: 'number of a request', value })),
      { what: 'pattern of a route', value: '/api/medications/:id/adherence' },
    ];
  }
}

/** Raw calls, watched. */
export class WatchedApi extends Api {
  constructor(
    url: string,
    readonly witness: Witness,
  ) {
    super(url);
  }

  override async call(
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Answer> {
    const headers = { ...TELLTALE_HEADERS, ...options.headers };
    const answer = await super.call(method, path, body, { ...options, headers });
    this.witness.note(answer.status, [...answer.headers], answer.text);
    return answer;
  }
}
