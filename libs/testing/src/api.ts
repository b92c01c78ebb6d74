/** An answer with its body as text. If the body is JSON, the answer also holds it parsed. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // Tests read answers of any shape.

  body: any;
}

/** What a call of the service takes beside its body. */
export interface CallOptions {
  token?: string;
  headers?: Record<string, string>;
}

/**
 * Calls the service over HTTP. A string or Buffer body is sent unchanged. The content type is JSON
 * unless the caller gives another one.
 */
export class Api {
  constructor(readonly url: string) {}

  /** Sends a GET. */
  get(path: string, options?: CallOptions): Promise<Answer> {
    return this.call('GET', path, undefined, options);
  }

  /** Sends a POST. */
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    return this.call('POST', path, body, options);
  }

  /** Sends a PUT. */
  put(path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    return this.call('PUT', path, body, options);
  }

  /** Sends a DELETE. */
  delete(path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    return this.call('DELETE', path, body, options);
  }

  /** Sends any request. Never throws for a status. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    { token, headers }: CallOptions = {},
  ): Promise<Answer> {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    const response = await fetch(this.url + path, {
      method,
      body: body === undefined ? undefined : isRaw ? (body as string) : JSON.stringify(body),
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : undefined,
    };
  }
}
