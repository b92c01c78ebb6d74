import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@app/common';
import {
  type CheckNewRequest,
  type CheckRequest,
  createEngine,
  type InteractionEngine,
  type InteractionResult,
  type Language,
} from '@app/interactions';
import { type LoadedKnowledge, loadKnowledge } from '@app/interactions/node';
import type { OpaqueJson } from '@app/opaque';
import { HeavyChecksService, isWithin } from './heavy-checks.service';

const compress = promisify(gzip);

/** An edition of the knowledge base in the two forms that the service sends. All answers share them. */
export interface ServedKnowledge {
  /** JSON in UTF-8. */
  plain: Buffer;
  gzipped: Buffer;
  /** The value includes its quotes. */
  etag: string;
}

/** Checks names against the knowledge base. Security: reads no account data; names are neither stored nor logged. */
@Injectable()
export class InteractionsService implements OnModuleInit {
  private engine: InteractionEngine;
  private knowledge: LoadedKnowledge;
  private readonly served = new Map<Language, Promise<ServedKnowledge>>();

  constructor(private readonly heavy: HeavyChecksService) {}

  async onModuleInit(): Promise<void> {
    this.knowledge = await loadKnowledge();
    this.engine = createEngine(this.knowledge.base);
  }

  /** The version of the knowledge base. Absent until the application is initialised. */
  get knowledgeVersion(): string | undefined {
    return this.knowledge?.base.version;
  }

  /**
   * A sentence for the documentation: the version of the base and what it covers. In hundreds, so that the document
   * stays as it is when a rule is added.
   */
  coverage(): string {
    const { version, ingredients, combinations, rules } = this.knowledge.base;
    const [substances, products, pairs] = [ingredients, combinations, rules].map(
      ({ length }) => length - (length % 100),
    );
    return (
      `Knowledge base ${version}: over ${substances} ingredients, ${products} combinations and ` +
      `${pairs} interaction rules, for people, dogs and cats.`
    );
  }

  async check(caller: Caller, request: CheckRequest): Promise<InteractionResult[] | OpaqueJson> {
    if (isWithin(SMALL, request.medications)) return this.engine.check(request);
    return this.heavy.run(caller.accountId, { method: 'check', request }, request.medications);
  }

  async checkNew(caller: Caller, request: CheckNewRequest): Promise<InteractionResult[] | OpaqueJson> {
    const { name, medications } = request;
    // Everything known about a medicine is always a long answer.
    const names = [name, ...(medications ?? [])];
    if (medications && isWithin(SMALL, names)) return this.engine.checkNew(request);
    return this.heavy.run(caller.accountId, { method: 'checkNew', request }, names);
  }

  /** Always in a thread: suggestions for an unknown name take up to 30 milliseconds. */
  async resolve(caller: Caller, medications: readonly string[]): Promise<OpaqueJson> {
    return this.heavy.run(caller.accountId, { method: 'resolve', request: { medications } }, medications);
  }

  /** The edition of a language. The first call compresses it. Later calls use the same result. */
  async knowledgeBase(language: Language): Promise<ServedKnowledge> {
    let served = this.served.get(language);
    if (!served) this.served.set(language, (served = this.compressed(language)));
    return served;
  }

  private async compressed(language: Language): Promise<ServedKnowledge> {
    const { text, etag } = this.knowledge.edition(language);
    const plain = Buffer.from(text);
    return { plain, etag, gzipped: await compress(plain, { level: constants.Z_BEST_COMPRESSION }) };
  }
}

/** Checks up to this size take a few milliseconds. Larger ones run in a thread. */
const SMALL = { names: 6, characters: 120 };
