import { InvalidArgumentError, ProtocolError } from '../errors';
import { isJsonObject } from '../json';
import type { HttpAnswer, HttpRequest } from '../http/http-transport';
import { ObjectReader, readArray } from '../http/object-reader';
import type { CallOptions } from '../records/record-types';
import type {
  CheckNewRequest,
  CheckRequest,
  InteractionEngine,
  InteractionEngineFactory,
  InteractionResult,
  ResolvedName,
} from './interaction-types';

const KINDS = new Set([
  'interaction',
  'duplicate_therapy',
  'food',
  'dose_ceiling',
  'species_toxicity',
  'unrecognized',
]);
const SEVERITIES = new Set(['contraindicated', 'major', 'moderate', 'minor', 'unknown']);

/** Interaction checks: on the device by default, by the service only where a method says so. */
export class Interactions {
  readonly #sendPublic: (request: HttpRequest) => Promise<HttpAnswer>;
  readonly #sendProtected: (request: HttpRequest) => Promise<HttpAnswer>;
  readonly #factory: InteractionEngineFactory | undefined;
  #engine: { etag: string | null; engine: InteractionEngine } | undefined;
  #loading: Promise<InteractionEngine> | undefined;

  constructor(
    sendPublic: (request: HttpRequest) => Promise<HttpAnswer>,
    sendProtected: (request: HttpRequest) => Promise<HttpAnswer>,
    factory: InteractionEngineFactory | undefined,
  ) {
    this.#sendPublic = sendPublic;
    this.#sendProtected = sendProtected;
    this.#factory = factory;
  }

  /**
   * Checks names against each other on the device. An empty array means "checked, nothing known"; a name that the
   * knowledge base lacks gives an `unrecognized` result.
   * Security: only the knowledge base is fetched, the same for everybody; no name leaves the device.
   */
  async check(request: CheckRequest, options: CallOptions = {}): Promise<InteractionResult[]> {
    return (await this.#load(options)).check(request);
  }

  /** Checks one more medication and its dosage on the device. Security: as `check`. */
  async checkNew(request: CheckNewRequest, options: CallOptions = {}): Promise<InteractionResult[]> {
    return (await this.#load(options)).checkNew(request);
  }

  /** What each name is read as, on the device; for a form that asks "did you mean". Security: as `check`. */
  async resolve(medications: readonly string[], options: CallOptions = {}): Promise<ResolvedName[]> {
    return (await this.#load(options)).resolve({ medications });
  }

  /**
   * Lets the service check.
   * Security: sends the names, which the service neither stores nor logs by its own account. Ask the person first.
   */
  async checkByService(request: CheckRequest, options: CallOptions = {}): Promise<InteractionResult[]> {
    return this.#byService('/api/interactions/check', { ...request }, options);
  }

  /** Lets the service check one more medication. Security: as `checkByService`. */
  async checkNewByService(request: CheckNewRequest, options: CallOptions = {}): Promise<InteractionResult[]> {
    return this.#byService('/api/interactions/check-new', { dosage: '', ...request }, options);
  }

  /** Lets the service read the names. Security: as `checkByService`. */
  async resolveByService(medications: readonly string[], options: CallOptions = {}): Promise<ResolvedName[]> {
    const answers = await this.#post('/api/interactions/resolve', { medications }, options);
    return answers.map((each): ResolvedName => {
      const reader = new ObjectReader(each, 'resolved name');
      return {
        input: reader.text('input'),
        ingredients: readArray(reader.raw('ingredients'), 'ingredients').map(String),
        method: reader.text('method'),
        confidence: reader.number('confidence'),
        suggestions: readArray(reader.raw('suggestions'), 'suggestions').map(String),
      };
    });
  }

  /** Fetches a newer knowledge base if there is one. @returns whether there was. */
  async refresh(options: CallOptions = {}): Promise<boolean> {
    const before = this.#engine;
    await this.#fetchEngine(options);
    return this.#engine !== before;
  }

  async #load(options: CallOptions): Promise<InteractionEngine> {
    if (this.#engine) return this.#engine.engine;
    // Shared by concurrent checks, so that no caller's abort may end it for the others.
    this.#loading ??= this.#fetchEngine({}).finally(() => {
      this.#loading = undefined;
    });
    const engine = await this.#loading;
    options.signal?.throwIfAborted();
    return engine;
  }

  async #fetchEngine(options: CallOptions): Promise<InteractionEngine> {
    if (!this.#factory) {
      throw new InvalidArgumentError('Give the client an `interactionEngine` to check on the device.');
    }
    const known = this.#engine;
    const answer = await this.#sendPublic({
      method: 'GET',
      path: '/api/interactions/knowledge-base',
      ...(known?.etag ? { ifNoneMatch: known.etag } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    if (answer.status === 304 && known) return known.engine;
    if (!isJsonObject(answer.body)) throw new ProtocolError('The knowledge base is not an object.');
    const engine = await this.#factory(answer.body);
    this.#engine = { etag: answer.headers.get('ETag'), engine };
    return engine;
  }

  async #byService(path: string, body: object, options: CallOptions): Promise<InteractionResult[]> {
    return (await this.#post(path, body, options)).map(readResult);
  }

  async #post(path: string, body: object, options: CallOptions): Promise<unknown[]> {
    const { signal } = options;
    const request = { method: 'POST', path, body, replayable: true, ...(signal ? { signal } : {}) } as const;
    return readArray((await this.#sendProtected(request)).body, 'interactions');
  }
}

function readResult(body: unknown): InteractionResult {
  const reader = new ObjectReader(body, 'interaction');
  const texts = (name: string) => readArray(reader.raw(name), name).map(String);
  const objects = (name: string) =>
    readArray(reader.raw(name), name).map((each) => new ObjectReader(each, name));
  const kind = reader.text('kind');
  const severity = reader.text('severity');
  if (!KINDS.has(kind)) reader.fail('kind', 'a known kind');
  if (!SEVERITIES.has(severity)) reader.fail('severity', 'a known severity');
  const partners = reader.nullable('partners', objects);
  return {
    kind: kind as InteractionResult['kind'],
    severity: severity as InteractionResult['severity'],
    action: reader.text('action') as InteractionResult['action'],
    medications: texts('medications'),
    ingredients: texts('ingredients'),
    summary: reader.text('summary'),
    mechanism: reader.text('mechanism'),
    management: reader.text('management'),
    evidence: reader.text('evidence') as InteractionResult['evidence'],
    sources: objects('sources').map((each) => ({
      id: each.text('id'),
      title: each.text('title'),
      publisher: each.text('publisher'),
      year: each.number('year'),
    })),
    rule_id: reader.text('rule_id'),
    related_rules: texts('related_rules'),
    matches: objects('matches').map((each) => ({
      input: each.text('input'),
      ingredient: each.text('ingredient'),
      method: each.text('method'),
      confidence: each.number('confidence'),
    })),
    knowledge_version: reader.text('knowledge_version'),
    ...(partners && {
      partners: partners.map((each) => ({
        ingredient: each.text('ingredient'),
        names: readArray(each.raw('names'), 'names').map(String),
        brands: readArray(each.raw('brands'), 'brands').map(String),
      })),
    }),
  };
}
