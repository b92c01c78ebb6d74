import { toBase64, utf8 } from '../encoding';

type Body = Record<string, unknown>;

/** An answer of the fake service; `raw` replaces the JSON text. */
export interface FakeAnswer {
  status: number;
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
}

/** One request as it came in. */
export interface FakeRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  text: string;
  body: Body;
}

interface FakeAccount extends Body {
  email: string;
  version: number;
  kdf?: Body;
}

/** Parameters of a list that compare with no field. */
const NO_FILTER = /^(limit|cursor|recorded_(from|to))$/;
const UUID = '[0-9a-f-]{36}';
const error = (status: number, code: string, headers?: Record<string, string>): FakeAnswer => ({
  status,
  body: { error: `It is ${code}.`, code, request_id: 'r-1' },
  ...(headers ? { headers } : {}),
});

/**
 * A service in memory, for tests of the client without a server. `intercept` and `tamper` make it fail or
 * return false data. It holds one collection for each path, also for kinds of your own, with only the rules on which the
 * client depends: no feed (so no offline store), no quotas, no rate limits. The cryptography is real.
 */
export class FakeService {
  readonly requests: FakeRequest[] = [];
  readonly accounts = new Map<string, FakeAccount>();
  readonly records = new Map<string, Body[]>();
  readonly refreshTokens = new Map<string, string>();
  readonly exchanges = new Map<string, { key: string | null; body: Body }>();
  /** How often a refresh token was used again, which the service treats as theft. */
  alarms = 0;
  readonly accessTokens = new Map<string, string>();
  readonly replays = new Map<string, { hash: string; answer: FakeAnswer }>();
  kdf: Body = { kdf: 'pbkdf2-sha256', iterations: 1_000_000 };
  /** Members that prelogin tells instead of the true ones. */
  falseKdf: Body = {};
  pageSize = 1000;
  /** Answers instead of the service, before the service handles the request. */
  intercept: ((request: FakeRequest) => FakeAnswer | Promise<FakeAnswer> | undefined) | undefined;
  /** Changes an answer after the service has handled the request. */
  tamper: ((request: FakeRequest, answer: FakeAnswer) => FakeAnswer | Promise<FakeAnswer>) | undefined;
  #serial = 0;

  /** The option `fetch` of a client of this service. */
  readonly fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    init.signal?.throwIfAborted();
    const url = new URL(String(input));
    const text = typeof init.body === 'string' ? init.body : '';
    const request: FakeRequest = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: new Headers(init.headers),
      text,
      body: text === '' ? {} : (JSON.parse(text) as Body),
    };
    this.requests.push(request);
    // As on a network: the answer comes later than the call.
    await new Promise((resolve) => setTimeout(resolve, 1));
    let answer = (await this.intercept?.(request)) ?? this.#answer(request);
    answer = JSON.parse(JSON.stringify(answer)) as FakeAnswer;
    if (this.tamper) answer = await this.tamper(request, answer);
    init.signal?.throwIfAborted();
    const payload = answer.raw ?? (answer.body === undefined ? null : JSON.stringify(answer.body));
    return new Response(payload, {
      status: answer.status,
      ...(answer.headers ? { headers: answer.headers } : {}),
    });
  };

  /** Requests of one route, for example `POST /api/auth/refresh`. */
  calls(line: string): FakeRequest[] {
    return this.requests.filter((request) => `${request.method} ${request.path}` === line);
  }

  /** All data that were sent, for a search for plaintext. */
  get wire(): string {
    return this.requests
      .map((request) => `${request.path}?${decodeURIComponent(request.query.toString())} ${request.text}`)
      .join('\n');
  }

  /** From now on each access token has expired. */
  expireAccessTokens(): void {
    this.accessTokens.clear();
  }

  #answer(request: FakeRequest): FakeAnswer {
    const route = `${request.method} ${request.path}`;
    const open = this.#publicRoute(route, request);
    if (open) return open;
    const token = request.headers.get('Authorization')?.replace('Bearer ', '') ?? '';
    const account = this.accounts.get(this.accessTokens.get(token) ?? '');
    if (!account) return error(401, 'token_expired');
    return (
      this.#accountRoute(route, request, account) ??
      this.#replayed(request, () => this.#records(request, account))
    );
  }

  #publicRoute(route: string, { body, query, headers }: FakeRequest): FakeAnswer | undefined {
    const account = this.accounts.get(
      typeof body.email === 'string' ? body.email : (query.get('email') ?? ''),
    );
    switch (route) {
      case 'POST /api/auth/prelogin':
        return {
          status: 200,
          body: { salt: saltOf(body.email), ...this.kdf, ...account?.kdf, ...this.falseKdf },
        };
      case 'POST /api/auth/register': {
        if (account) return error(409, 'email_taken');
        const id = body.account_id ?? this.#id();
        const created = { ...body, id, email: String(body.email), version: 1 } as FakeAccount;
        if (!setKdf(created, body)) return error(400, 'validation_failed');
        this.accounts.set(created.email, created);
        if (body.default_profile_wrapped_dek) {
          this.#insert('profiles', created, {
            profile_id: body.default_profile_id,
            kind: body.default_profile_kind,
            relationship: body.default_profile_relationship,
            wrapped_profile_dek: body.default_profile_wrapped_dek,
            wrapped_profile_dek_iv: body.default_profile_wrapped_dek_iv,
            name_data: body.default_profile_name_data,
            name_iv: body.default_profile_name_iv,
          });
        }
        return { status: 201, body: this.#tokens(created) };
      }
      case 'POST /api/auth/login':
        if (account?.password !== body.password) return error(401, 'invalid_credentials');
        return { status: 200, body: this.#tokens(account!) };
      case 'POST /api/auth/refresh':
        return this.#refresh(String(body.refresh_token), headers.get('Idempotency-Key'));
      case 'POST /api/auth/logout':
        this.refreshTokens.delete(String(body.refresh_token));
        return { status: 204 };
      case 'POST /api/auth/recovery-info':
        return {
          status: 200,
          body: {
            recovery_wrapped_dek: account?.recovery_wrapped_dek ?? toBase64(new Uint8Array(48).fill(7)),
            recovery_wrapped_dek_iv: account?.recovery_wrapped_dek_iv ?? toBase64(new Uint8Array(12).fill(7)),
          },
        };
      case 'POST /api/auth/recovery/reset-password':
        if (!account?.recovery_proof || account.recovery_proof !== body.recovery_proof) {
          return error(401, 'invalid_credentials');
        }
        return this.#replaceSecret(account, body) ?? { status: 200, body: { password_reset: true } };
      case 'POST /api/auth/recovery/verify': {
        const verified = account !== undefined && account.recovery_proof === body.recovery_proof;
        return { status: 200, body: { verified } };
      }
      case 'GET /api/interactions/knowledge-base':
        return { status: 200, body: { version: 'test' }, headers: { ETag: '"kb-1"' } };
      default:
        return undefined;
    }
  }

  /** The same token with the same key gets the same successor, until that is used. Other reuse is an alarm. */
  #refresh(old: string, key: string | null): FakeAnswer {
    const past = this.exchanges.get(old);
    if (past && key && past.key === key && this.refreshTokens.has(past.body.refresh_token as string)) {
      return { status: 200, body: past.body };
    }
    if (past) this.alarms += 1;
    const owner = this.accounts.get(this.refreshTokens.get(old) ?? '');
    this.refreshTokens.delete(old);
    if (!owner) return error(401, 'refresh_token_invalid');
    const { token, refresh_token } = this.#tokens(owner);
    this.exchanges.set(old, { key, body: { token, refresh_token } });
    return { status: 200, body: { token, refresh_token } };
  }

  #accountRoute(route: string, { body }: FakeRequest, account: FakeAccount): FakeAnswer | undefined {
    if ('current_password' in body && body.current_password !== account.password) {
      return error(403, 'current_password_wrong');
    }
    const now = '2025-01-01T00:00:00.000Z';
    switch (route) {
      case 'GET /api/users/me': {
        const { id, email, version, wrapped_dek, wrapped_dek_iv } = account;
        const flags = { email_verified: false, recovery_enabled: account.recovery_proof !== undefined };
        const stamps = { token_version: version, revision: 1, created_at: now, updated_at: now };
        return { status: 200, body: { id, email, ...flags, wrapped_dek, wrapped_dek_iv, ...stamps } };
      }
      case 'GET /api/trust-book':
        return { status: 200, body: { revision: 0, encrypted_data: '', updated_at: null } };
      case 'GET /api/users/me/usage':
        return {
          status: 200,
          body: { records: this.#count(account), max_records: 10_000, bytes: 2_000, max_bytes: 2 ** 28 },
        };
      case 'PUT /api/users/me': {
        const refusal = this.#replaceSecret(account, body);
        if (refusal) return refusal;
        this.accounts.delete(account.email);
        account.email = String(body.email);
        this.accounts.set(account.email, account);
        return { status: 200, body: this.#tokens(account) };
      }
      case 'GET /api/auth/sessions':
      case 'GET /api/users/me/device-tokens': {
        const stamps = { created_at: now, last_used_at: now };
        const session = {
          id: account.id,
          ...stamps,
          current: true,
          device_label: account.device_label ?? null,
        };
        return { status: 200, body: [session] };
      }
      case 'POST /api/auth/device-token':
        return { status: 201, body: { device_token: 'a device token' } };

      case 'POST /api/auth/logout-all':
        this.accessTokens.clear();
        this.refreshTokens.clear();
        return { status: 204 };
      case 'GET /api/users/me/events':
        return {
          status: 200,
          body: [{ id: account.id, kind: 'login', created_at: now, origin: '9f2c41d0', count: 1 }],
        };
      case 'POST /api/auth/change-password':
        return this.#replaceSecret(account, body) ?? { status: 200, body: this.#tokens(account) };
      case 'POST /api/auth/recovery/setup':
        Object.assign(account, body);
        return { status: 200, body: { recovery_enabled: true } };
      case 'POST /api/users/me/delete':
        this.accounts.delete(account.email);
        return { status: 204 };
      default:
        return /^DELETE \/api\/(auth\/sessions|users\/me\/device-tokens)\//.test(route)
          ? { status: 204 }
          : undefined;
    }
  }

  #replayed(request: FakeRequest, run: () => FakeAnswer): FakeAnswer {
    const key = request.headers.get('Idempotency-Key');
    if (!key) return run();
    const known = this.replays.get(`${request.path} ${key}`);
    if (known) return known.hash === request.text ? known.answer : error(409, 'idempotency_conflict');
    const answer = run();
    if (answer.status === 201) {
      this.replays.set(`${request.path} ${key}`, { hash: request.text, answer: structuredClone(answer) });
    }
    return answer;
  }

  #records(request: FakeRequest, account: FakeAccount): FakeAnswer {
    const { method, path, query, body } = request;
    const at = new RegExp(
      `^/api/([a-z][a-z-]*)(?:/(${UUID})(?:/(log|delete|adherence)(?:/(${UUID})/delete)?)?)?$`,
    ).exec(path);
    if (!at) return error(404, 'not_found');
    const [, name, id, action, doseId] = at as unknown as [string, string, string?, string?, string?];
    if (action === 'log') return this.#doses(method, id!, doseId, body, account);
    const all = this.#of(name).filter((each) => each.owner === account.id);
    const key = name === 'profiles' ? 'profile_id' : 'id';
    if (id === undefined) {
      if (method === 'POST') {
        if (all.some((each) => each[key] === body[key])) return error(409, 'id_taken');
        return { status: 201, body: visible(this.#insert(name, account, body)) };
      }
      const matching = all.filter((each) =>
        [...query].every(([field, value]) => NO_FILTER.test(field) || value === String(each[field])),
      );
      if (name !== 'profiles') matching.reverse();
      const from = Number(query.get('cursor') ?? 0);
      const to = from + Math.min(this.pageSize, Number(query.get('limit') ?? 1000));
      const link = to < matching.length ? { Link: `<${path}?limit=2&cursor=${to}>; rel="next"` } : undefined;
      return { status: 200, body: matching.slice(from, to).map(visible), ...(link ? { headers: link } : {}) };
    }
    const found = all.find((each) => each[key] === id);
    if (!found) return error(404, 'not_found');
    if (method === 'GET') return { status: 200, body: visible(found) };
    const ifMatch = request.headers.get('If-Match');
    if (ifMatch !== null && ifMatch !== `"${String(found.revision)}"`) return error(412, 'revision_mismatch');
    if (method === 'DELETE' || action === 'delete') {
      this.records.set(
        name,
        this.#of(name).filter((each) => each !== found),
      );
      return { status: 204 };
    }
    Object.assign(found, body, { revision: Number(found.revision) + 1 });
    return { status: 200, body: visible(found) };
  }

  #doses(
    method: string,
    id: string,
    doseId: string | undefined,
    body: Body,
    account: FakeAccount,
  ): FakeAnswer {
    const doses = this.#of(`doses ${id}`);
    if (doseId !== undefined) {
      this.records.set(
        `doses ${id}`,
        doses.filter((each) => each.id !== doseId),
      );
      return { status: 204 };
    }
    if (method === 'GET') return { status: 200, body: [...doses].reverse().map(visible) };
    if (doses.some((each) => each.id === body.id)) return error(409, 'id_taken');
    return {
      status: 201,
      body: visible(
        this.#insert(`doses ${id}`, account, {
          medication_id: id,
          loggedAt: '2025-01-01T00:00:00.000Z',
          proof: null,
          ...body,
        }),
      ),
    };
  }

  #insert(name: string, account: FakeAccount, body: Body): Body {
    const now = '2025-01-01T00:00:00.000Z';
    const stamps = name.startsWith('doses') ? {} : { revision: 1, updated_at: now };
    const record: Body = { ...body, owner: account.id, created_at: now, ...stamps };
    if (name === 'profiles') record.owner_account_id = account.id;
    if (name === 'medications') record.schedule_changed_at = null;
    this.#of(name).push(record);
    return record;
  }

  #count({ id: owner }: FakeAccount): number {
    const medications = new Set(this.#of('medications').map(({ id }) => `doses ${String(id)}`));
    const all = [...this.records].flatMap(([name, records]) =>
      name.startsWith('doses ') && !medications.has(name) ? [] : records,
    );
    return all.filter((each) => each.owner === owner).length;
  }

  #of(name: string): Body[] {
    const known = this.records.get(name) ?? [];
    this.records.set(name, known);
    return known;
  }

  /** @returns the refusal, if there is one. */
  #replaceSecret(account: FakeAccount, body: Body): FakeAnswer | undefined {
    if (account.password !== body.current_password && !body.recovery_proof)
      return error(403, 'current_password_wrong');
    if (!setKdf(account, body)) return error(400, 'validation_failed');
    account.password = body.new_password;
    account.wrapped_dek = body.new_wrapped_dek;
    account.wrapped_dek_iv = body.new_wrapped_dek_iv;
    this.accessTokens.clear();
    this.refreshTokens.clear();
    return undefined;
  }

  #tokens({ id, email, wrapped_dek, wrapped_dek_iv }: FakeAccount): Body {
    this.#serial += 1;
    const [token, refresh] = ['access', 'refresh'].map((kind) => fakeToken(String(id), kind, this.#serial));
    this.accessTokens.set(token, email);
    this.refreshTokens.set(refresh, email);
    return { token, refresh_token: refresh, wrapped_dek, wrapped_dek_iv };
  }

  #id(): string {
    this.#serial += 1;
    return `00000000-0000-7000-8000-${String(this.#serial).padStart(12, '0')}`;
  }
}

/** Another one for another email. It needs no hash: nobody guesses anything here. */
function saltOf(email: unknown): string {
  const salt = new Uint8Array(16).fill(7);
  utf8(String(email)).forEach((byte, at) => (salt[at % 16] = (salt[at % 16] * 31 + byte) % 256));
  return toBase64(salt);
}

/** @returns `false` for a lower cost, or a secret of another salt. */
function setKdf(account: FakeAccount, body: Body): boolean {
  if (!body.new_kdf) return true;
  const { salt, ...kdf } = body.new_kdf as Body;
  if (salt !== saltOf(body.email ?? account.email)) return false;
  if (Number(kdf.iterations) < Number(account.kdf?.iterations ?? 0)) return false;
  account.kdf = kdf;
  return true;
}

/** A token whose signature nobody checks. */
export function fakeToken(accountId: string, kind: string, serial: number): string {
  const part = (value: object) =>
    toBase64(utf8(JSON.stringify(value))).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '');
  return `${part({ typ: kind })}.${part({ sub: accountId })}.${kind}-${serial}`;
}

function visible({ owner: _owner, ...record }: Body): Body {
  return record;
}
