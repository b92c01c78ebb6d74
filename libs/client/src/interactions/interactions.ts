import { IntegrityError, InvalidArgumentError, ProtocolError, TransportError } from '../errors';
import { requireKnownMembers, toCamelCase, type NamesOf } from '../inputs';
import { isJsonObject } from '../json';
import type { HttpAnswer, HttpRequest } from '../http/http-transport';
import { ObjectReader, readArray } from '../http/object-reader';
import { dropStrangeAddress, optionalTexts, readSource } from './read-source';
import type { CallOptions } from '../records/record-types';
import type { CachedKnowledge, OfflineEngine } from '../offline/offline-store';
import type { KnowledgeTrust } from './knowledge-trust';
import type {
  CheckNewRequest,
  CheckRequest,
  DeviceCheckNewRequest,
  DeviceCheckRequest,
  InteractionEngine,
  InteractionEngineFactory,
  InteractionResult,
  KnownName,
  ResolvedName,
} from './interaction-types';

/** The kinds that the service can return. Only the device makes findings about a person. */
const KINDS = new Set([
  'interaction',
  'duplicate_therapy',
  'food',
  'dose_ceiling',
  'species_toxicity',
  'unrecognized',
  'name_assumed',
  'dose_unchecked',
  'not_assessed',
  'cumulative_burden',
]);
const SEVERITIES = new Set(['contraindicated', 'major', 'moderate', 'minor', 'unknown']);

const CHECK: NamesOf<CheckRequest> = { medications: true, species: true, language: true };
const CHECK_NEW: NamesOf<CheckNewRequest> = { ...CHECK, name: true, dosage: true, detail: true };

/** Keeps the knowledge base for checks without a network. */
type KnowledgeCache = Pick<OfflineEngine, 'readKnowledge' | 'writeKnowledge'>;

/** The edition of the knowledge base in use. */
interface LoadedEdition {
  /** The language that was asked for. */
  language: string;
  etag: string | null;
  engine: InteractionEngine;
}

const ENGLISH = 'en';

/** A question to the service. */
interface Question extends Pick<HttpRequest, 'path' | 'query'> {
  body: object;
  language?: string | undefined;
}

/** Interaction checks. They run on the device; only the methods named `…ByService` use the service. */
export class Interactions {
  readonly #sendPublic: (request: HttpRequest) => Promise<HttpAnswer>;
  readonly #sendProtected: (request: HttpRequest) => Promise<HttpAnswer>;
  readonly #factory: InteractionEngineFactory | undefined;
  readonly #trust: KnowledgeTrust | undefined;
  readonly #cache: KnowledgeCache | undefined;
  #loaded: LoadedEdition | undefined;
  readonly #loading = new Map<string, Promise<InteractionEngine>>();
  #knowledgeFetchedAt: string | null = null;

  constructor(
    sendPublic: (request: HttpRequest) => Promise<HttpAnswer>,
    sendProtected: (request: HttpRequest) => Promise<HttpAnswer>,
    factory: InteractionEngineFactory | undefined,
    trust?: KnowledgeTrust,
    cache?: KnowledgeCache,
  ) {
    this.#sendPublic = sendPublic;
    this.#sendProtected = sendProtected;
    this.#factory = factory;
    this.#trust = trust;
    this.#cache = cache;
  }

  /**
   * Checks the interactions between medicines on the device. An empty array means "checked, nothing known". A
   * name that is not in the knowledge base gives an `unrecognized` result.
   * Security: only the knowledge base is fetched, and it is the same for every user; no name leaves the
   * device.
   */
  async check(request: DeviceCheckRequest, options: CallOptions = {}): Promise<InteractionResult[]> {
    requireKnownMembers(request, { ...CHECK, person: true }, 'The check');
    return findingsOf((await this.#load(options, request.language)).check(request));
  }

  /** Checks one more medication and its dosage on the device. Security: as `check`. */
  async checkNew(request: DeviceCheckNewRequest, options: CallOptions = {}): Promise<InteractionResult[]> {
    requireKnownMembers(request, { ...CHECK_NEW, person: true }, 'The check');
    return findingsOf((await this.#load(options, request.language)).checkNew(request));
  }

  /**
   * The ingredients that each name is read as, on the device; for a form that asks "did you mean". `language`: that of
   * the checks that follow, so that only one edition of the knowledge base is fetched.
   * Security: as `check`.
   */
  async resolve(
    medications: readonly string[],
    { language, ...options }: CallOptions & { language?: string } = {},
  ): Promise<ResolvedName[]> {
    return (await this.#load(options, this.#loaded?.language ?? language)).resolve({ medications });
  }

  /**
   * Known names that begin with a text of two letters or more, on the device; for a form that completes while one types.
   * At most `limit` (8): generic names first. Security: as `check`.
   */
  async namesBeginning(
    text: string,
    { language, limit = 8, ...options }: CallOptions & { language?: string; limit?: number } = {},
  ): Promise<KnownName[]> {
    const engine = await this.#load(options, this.#loaded?.language ?? language);
    return engine.namesBeginning?.({ text, limit }) ?? [];
  }

  /**
   * Checks on the service.
   * Security: sends the names. According to the service, it neither stores nor logs them. Ask the person
   * first.
   */
  async checkByService(request: CheckRequest, options: CallOptions = {}): Promise<InteractionResult[]> {
    requireKnownMembers(request, CHECK, 'The check by the service');
    const { medications, species, language } = request;
    // Copies the members one by one, so that no data about a person leave the device.
    const body = { medications, ...(species && { species }) };
    return this.#byService({ path: '/api/interactions/check', body, language }, options);
  }

  /** Checks one more medication on the service. Security: as `checkByService`. */
  async checkNewByService(request: CheckNewRequest, options: CallOptions = {}): Promise<InteractionResult[]> {
    requireKnownMembers(request, CHECK_NEW, 'The check by the service');
    const { name, dosage = '', medications, species, language, detail } = request;
    const body = { name, dosage, ...(medications && { medications }), ...(species && { species }) };
    const path = '/api/interactions/check-new';
    return this.#byService({ path, body, language, query: { detail } }, options);
  }

  /** Reads the names on the service. Security: as `checkByService`. */
  async resolveByService(medications: readonly string[], options: CallOptions = {}): Promise<ResolvedName[]> {
    const answers = await this.#post({ path: '/api/interactions/resolve', body: { medications } }, options);
    return answers.map((each): ResolvedName => {
      const reader = new ObjectReader(each, 'resolved name');
      const meanings = reader.nullable('meanings', (name) => readArray(reader.raw(name), name));
      return {
        input: reader.text('input'),
        ingredients: readArray(reader.raw('ingredients'), 'ingredients').map(String),
        method: reader.text('method'),
        confidence: reader.number('confidence'),
        suggestions: readArray(reader.raw('suggestions'), 'suggestions').map(String),
        ...(meanings && { meanings: meanings.map(readMeaning) }),
      };
    });
  }

  /** When the service last confirmed the knowledge base in use, RFC 3339; `null` before the first check. */
  get knowledgeFetchedAt(): string | null {
    return this.#knowledgeFetchedAt;
  }

  /** Fetches a newer knowledge base if there is one. @returns whether there was a newer one. */
  async refresh(options: CallOptions = {}): Promise<boolean> {
    const before = this.#loaded;
    await this.#fetchEngine(options, before?.language ?? ENGLISH);
    return this.#loaded !== before;
  }

  async #load(options: CallOptions, language = ENGLISH): Promise<InteractionEngine> {
    if (this.#loaded?.language === language) return this.#loaded.engine;
    // Concurrent checks share this request, so the abort of one caller must not end it for the others.
    let loading = this.#loading.get(language);
    if (!loading) {
      loading = this.#fetchEngine({}, language).finally(() => this.#loading.delete(language));
      this.#loading.set(language, loading);
    }
    const engine = await loading;
    options.signal?.throwIfAborted();
    return engine;
  }

  async #fetchEngine(options: CallOptions, language: string): Promise<InteractionEngine> {
    if (!this.#factory) {
      throw new InvalidArgumentError('Give the client an `interactionEngine` to check on the device.');
    }
    const known = this.#loaded;
    const kept = known ? undefined : await this.#cache?.readKnowledge();
    const etag = [known, kept].find((each) => each && (each.language ?? ENGLISH) === language)?.etag;
    let answer: HttpAnswer;
    try {
      answer = await this.#sendPublic({
        method: 'GET',
        path: '/api/interactions/knowledge-base',
        ...(language === ENGLISH ? {} : { query: { language } }),
        ...(etag ? { ifNoneMatch: etag } : {}),
        ...(options.signal ? { signal: options.signal } : {}),
      });
    } catch (error) {
      // Findings in another language are better than none.
      if (!(error instanceof TransportError)) throw error;
      if (known && known.language !== language) return known.engine;
      if (kept) return this.#use({ ...kept, language });
      throw error;
    }
    const fetchedAt = new Date().toISOString();
    this.#knowledgeFetchedAt = fetchedAt;
    if (answer.status === 304 && known) return known.engine;
    if (answer.status === 304 && kept) return this.#use({ ...kept, fetchedAt });
    if (!isJsonObject(answer.body)) throw new ProtocolError('The knowledge base is not an object.');
    const fetched = { etag: answer.headers.get('ETag'), fetchedAt, body: answer.body, language };
    let engine: InteractionEngine;
    try {
      requireLanguage(answer.body.language, language);
      engine = await this.#use(fetched);
    } catch (error) {
      if (!(error instanceof IntegrityError)) throw error;
      // The last base that was accepted stays in use. Where there is none, the English edition may be whole.
      if (kept) return this.#use({ ...kept, language });
      if (known?.language === language || language === ENGLISH) throw error;
      engine = known?.engine ?? (await this.#load(options));
      this.#loaded = { language, etag: null, engine };
      return engine;
    }
    void this.#cache?.writeKnowledge(fetched).catch(() => undefined);
    return engine;
  }

  async #use({ body, etag, fetchedAt, language = ENGLISH }: CachedKnowledge): Promise<InteractionEngine> {
    const remember = await this.#trust?.accept(body);
    const engine = await this.#factory!(body);
    remember?.();
    this.#loaded = { language, etag, engine };
    this.#knowledgeFetchedAt = fetchedAt;
    return engine;
  }

  async #byService(question: Question, options: CallOptions): Promise<InteractionResult[]> {
    return findingsOf((await this.#post(question, options)).map(readResult));
  }

  async #post({ language, ...question }: Question, { signal }: CallOptions): Promise<unknown[]> {
    const { body } = await this.#sendProtected({
      method: 'POST',
      replayable: true,
      ...question,
      ...(language ? { acceptLanguage: language } : {}),
      ...(signal ? { signal } : {}),
    });
    return readArray(body, 'interactions');
  }
}

function findingsOf(results: object[]): InteractionResult[] {
  const findings = toCamelCase(results) as InteractionResult[];
  for (const { sources } of findings) sources?.forEach(dropStrangeAddress);
  return findings;
}

/** A service answers in English where it does not have the language; an older one does not name it. */
function requireLanguage(own: unknown, asked: string): void {
  if (own === undefined || own === ENGLISH || own === asked.toLowerCase().split('-')[0]) return;
  throw new IntegrityError('knowledge_altered', 'The knowledge base is in another language.');
}

function readMeaning(body: unknown): { ingredients: string[]; countries: string[] } {
  const reader = new ObjectReader(body, 'meaning');
  const texts = (name: string) => readArray(reader.raw(name), name).map(String);
  return { ingredients: texts('ingredients'), countries: texts('countries') };
}

/** The names of the members are those of the HTTP API. */
function readResult(body: unknown): object {
  const reader = new ObjectReader(body, 'interaction');
  const texts = (name: string) => readArray(reader.raw(name), name).map(String);
  const objects = (name: string) =>
    readArray(reader.raw(name), name).map((each) => new ObjectReader(each, name));
  const kind = reader.text('kind');
  const severity = reader.text('severity');
  if (!KINDS.has(kind)) reader.fail('kind', 'a known kind');
  if (!SEVERITIES.has(severity)) reader.fail('severity', 'a known severity');
  const partners = reader.nullable('partners', objects);
  const inShort = reader.nullable('in_short', (name) => new ObjectReader(reader.raw(name), name));
  return {
    kind,
    severity,
    action: reader.text('action'),
    medications: texts('medications'),
    ingredients: texts('ingredients'),
    summary: reader.text('summary'),
    mechanism: reader.text('mechanism'),
    management: reader.text('management'),
    evidence: reader.text('evidence'),
    sources: objects('sources').map(readSource),
    rule_id: reader.text('rule_id'),
    related_rules: texts('related_rules'),
    matches: objects('matches').map((each) => ({
      input: each.text('input'),
      ingredient: each.text('ingredient'),
      method: each.text('method'),
      confidence: each.number('confidence'),
    })),
    knowledge_version: reader.text('knowledge_version'),
    ...optionalTexts(reader, ['lang']),
    ...(inShort && {
      in_short: {
        lang: inShort.text('lang'),
        kind: inShort.text('kind'),
        severity: inShort.text('severity'),
        action: inShort.text('action'),
        what_to_do: inShort.text('what_to_do'),
      },
    }),
    ...(partners && {
      partners: partners.map((each) => ({
        ingredient: each.text('ingredient'),
        names: readArray(each.raw('names'), 'names').map(String),
        brands: readArray(each.raw('brands'), 'brands').map(String),
        ...(each.nullable('is_class', (name) => each.raw(name)) === true && { is_class: true as const }),
      })),
    }),
  };
}
