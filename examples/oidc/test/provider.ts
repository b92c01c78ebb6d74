import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const CLIENT = {
  client_id: 'health-records',
  client_secret: 'a secret of the tests',
  redirect_uris: ['http://127.0.0.1:1/signed-in'],
};

/** A real provider of OpenID Connect, on loopback. Whoever types a name is that person. */
export class TestProvider {
  private server: Server | undefined;
  private port = 0;
  /** The email that the provider knows for each subject. */
  readonly emails = new Map<string, string>();

  get issuer(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it, with new keys, under the same name as before. */
  async start(): Promise<void> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(this.port, '127.0.0.1', listening));
    this.port = (server.address() as AddressInfo).port;
    const { Provider } = await import('oidc-provider');
    const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
    const provider = new Provider(this.issuer, {
      clients: [CLIENT],
      cookies: { keys: ['a key of the tests'] },
      claims: { openid: ['sub'], email: ['email'] },
      findAccount: (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, email: this.emails.get(sub) }),
      }),
      jwks: { keys: [{ ...key, kid: String(Date.now()), use: 'sig', alg: 'RS256' }] },
    });
    server.on('request', provider.callback());
    this.server = server;
  }

  async stop(): Promise<void> {
    const { server } = this;
    server?.closeAllConnections();
    await new Promise<void>((closed) => (server ? server.close(() => closed()) : closed()));
  }

  /** What a browser does: it opens the page, signs in, agrees. @returns the query with which it comes back. */
  async signIn(url: string, login: string): Promise<string> {
    const jar = new Map<string, string>();
    let next = new URL(url);
    let form: URLSearchParams | undefined;
    for (let step = 0; step < 20; step++) {
      const answer: Response = await fetch(next, {
        method: form ? 'POST' : 'GET',
        body: form,
        redirect: 'manual',
        headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
      });
      for (const cookie of answer.headers.getSetCookie()) {
        const [name, value] = cookie.split(';')[0].split('=');
        jar.set(name, value);
      }
      const to = answer.headers.get('location');
      if (to?.startsWith(CLIENT.redirect_uris[0])) return new URL(to).search.slice(1);
      form = to ? undefined : formOf(await answer.text(), login);
      if (to) next = new URL(to, next);
    }
    throw new Error('The provider did not send the browser back.');
  }
}

/** The fields of the provider's own pages: a login, and then the consent. */
function formOf(page: string, login: string): URLSearchParams {
  const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
  if (!prompt) throw new Error(`The provider shows no form: ${page.slice(0, 500)}`);
  return new URLSearchParams(prompt === 'login' ? { prompt, login, password: 'any' } : { prompt });
}
