import { setTimeout as pause } from 'node:timers/promises';

/** A request as the client sent it. */
export interface Asked {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  /** The JSON of the body; `undefined` without one. */
  sent: any;
}

/** What the client will get. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Answers a request. `pass` asks the real service; a lie that does not call it keeps the request from it. */
export type Lie = (asked: Asked, pass: () => Promise<Answer>) => Answer | Promise<Answer>;

const STRIPPED = ['content-length', 'content-encoding', 'transfer-encoding', 'connection'];

/** The layer between a client and the real service: it passes everything on, until it has a lie. */
export class LyingFetch {
  lie: Lie | undefined;
  /** How many requests the client has sent since the last lie began. */
  count = 0;

  constructor(private readonly limit = 400) {}

  readonly fetch: typeof globalThis.fetch = async (input, init = {}) => {
    this.count += 1;
    // A client that asks without end fails here, and not at the time limit of the test.
    if (this.lie && this.count > this.limit) throw new TypeError('asked without end');
    const url = new URL(input instanceof Request ? input.url : input);
    const text = typeof init.body === 'string' ? init.body : '';
    const asked: Asked = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      sent: text === '' ? undefined : JSON.parse(text),
    };
    const pass = async (): Promise<Answer> => {
      const answer = await globalThis.fetch(input, init);
      const headers = Object.fromEntries([...answer.headers].filter(([name]) => !STRIPPED.includes(name)));
      return { status: answer.status, headers, text: await answer.text() };
    };
    const { status, headers, text: answered } = await (this.lie ? this.lie(asked, pass) : pass());
    const hasBody = ![204, 205, 304].includes(status);
    return new Response(hasBody ? answered : null, { status, headers });
  };

  /** From now on. `undefined`: honest. */
  begin(lie: Lie | undefined): void {
    this.lie = lie;
    this.count = 0;
  }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  // A liar knows how an answer of a space looks.
  const usual = { 'content-type': 'application/json', 'health-space': '1' };
  return { status, headers: { ...usual, ...headers }, text: JSON.stringify(body) };
}

export function html(status: number): Answer {
  const text = '<!doctype html><title>Welcome to the hotel</title><p>Accept the terms to go on.';
  return { status, headers: { 'content-type': 'text/html' }, text };
}

export function cut(): never {
  throw new TypeError('fetch failed');
}

export const slowly = (ms: number) => pause(ms);
