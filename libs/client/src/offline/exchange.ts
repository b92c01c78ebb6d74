import type { SpacePlace } from '../spaces/space-directory';
import { Doubts } from './doubts';
import { ACCESS_ENDED, codeOf, isOwnAnswer, SPACE_CHANGED, statusOf } from './failures';
import { type FeedListener, pull } from './feed';
import { sealWritesAnew, sealWritesForNow } from './former-keys';
import { Gate } from './gate';
import { noteWrites, publishHeads } from './head-publisher';
import type { LocalCopy } from './local-copy';
import type { OfflineHost } from './offline-host';
import { STATE_KEY, type CachedRecord, type FeedState } from './offline-rows';
import { push } from './outbox-sender';
import { acceptDeletionsBy } from './problems';
import { resealAll } from './reseal';
import type { CopiedPlace, SpaceCopies } from './space-copies';

/** What a sync tells while it runs. */
export interface ExchangeListener extends FeedListener {
  /** Records that have still to be sealed anew. */
  onProgress: (left: number) => void;
}

/** What accounts may do where a copy lies. */
interface Rights {
  /** Write profiles, and with them heads. */
  mayPublish: boolean;
  mayReseal: boolean;
  /** Who deletes what is theirs and may write no head. */
  carers: readonly string[];
}

interface Exchange extends Rights {
  host: OfflineHost;
  copy: LocalCopy;
  gate: Gate;
  listener: ExchangeListener;
  /** Whether the service may have something new. */
  isNew: boolean;
}

const OF_ACCOUNT: Rights = { mayPublish: true, mayReseal: true, carers: [] };
/** How often a space is read anew in one sync. */
const ATTEMPTS = 3;

/** Keeps copies and the service equal. One for each opened account. */
export class Exchanges {
  /** Those whose profiles were asked for since they were opened. */
  readonly #confirmed = new WeakSet<LocalCopy>();
  /** Rows of profiles of the account that are open. Those of a space may get another key, and are opened anew. */
  readonly #opened = new WeakSet<CachedRecord>();

  /** The records of the account itself. @param readsNews false: what is written is sent, and no more */
  async ofAccount(
    host: OfflineHost,
    copy: LocalCopy,
    listener: ExchangeListener,
    readsNews: boolean,
  ): Promise<void> {
    const gate = new Gate(host, copy, undefined, this.#opened);
    const isNew = readsNews || !copy.state.isComplete;
    await this.#run({ host, copy, gate, listener, isNew, ...OF_ACCOUNT });
  }

  /**
   * The records of a space. A new key or other roles in the meantime begin it anew.
   * @throws all errors that are temporary, and those of a session that has ended or a client that is locked.
   */
  async ofSpace(
    host: OfflineHost,
    spaces: SpaceCopies,
    { copy, place: { spaceId } }: CopiedPlace,
    listener: ExchangeListener,
  ): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const place = spaces.placeOf(spaceId);
      if (place?.state !== 'member' || place.blocked) return;
      try {
        return await this.#runInSpace(host, copy, place, listener);
      } catch (error) {
        const isGone = codeOf(error) === ACCESS_ENDED || (isOwnAnswer(error) && statusOf(error) === 404);
        if (isGone) await spaces.take();
        if (isGone && spaces.placeOf(spaceId)?.state !== 'member') return;
        if (codeOf(error) !== SPACE_CHANGED || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #runInSpace(
    account: OfflineHost,
    copy: LocalCopy,
    place: SpacePlace,
    listener: ExchangeListener,
  ): Promise<void> {
    const { spaceId, role, version, lastChange, carers } = place;
    const host = hostIn(account, spaceId);
    const mayPublish = role === 'editor' || role === 'owner';
    const rights = { mayPublish, mayReseal: role === 'owner', carers };
    const gate = new Gate(host, copy, async () => {
      const now = await account.spaces()?.reread(spaceId);
      return now !== undefined && now.version !== version;
    });
    await copy.catchUp();
    const seen = lastChange === undefined ? undefined : `${lastChange} ${version}`;
    const { isComplete, listingAfter, seen: before } = copy.state;
    const isNew = !isComplete || listingAfter !== undefined || seen === undefined || seen !== before;
    // While an older key is known still.
    await sealWritesForNow(host, copy);
    await this.#run({ host, copy, gate, listener, isNew, ...rights });
    if (!isNew || seen === undefined) return;
    await copy.change(() => {
      return { rows: { [STATE_KEY]: { ...copy.state, seen } satisfies FeedState }, result: undefined };
    });
  }

  async #run({ host, copy, gate, listener, isNew, ...rights }: Exchange): Promise<void> {
    await copy.catchUp();
    await noteWrites(host, copy);
    const pullAll = () => pull(host, copy, gate, listener);
    const wasComplete = copy.state.isComplete;
    if (isNew) await pullAll();
    const doubts = new Doubts(host, copy, gate);
    if (wasComplete && !this.#confirmed.has(copy)) await doubts.confirmProfiles();
    this.#confirmed.add(copy);
    await doubts.settle();
    await acceptDeletionsBy(rights.carers, host, copy);
    await sealWritesAnew(host, copy);
    if (copy.space) await sealWritesForNow(host, copy);
    const confirmed = await push(host, copy, gate);
    const { mayPublish, mayReseal } = rights;
    const isSealed = await publishHeads(host, copy, gate, pullAll, { mayPublish, hasPulled: isNew });
    const isResealed = mayReseal && (await this.#reseal(host, copy, gate, pullAll, listener));
    if (confirmed > 0 || isSealed || isResealed) await pullAll();
  }

  #reseal(
    host: OfflineHost,
    copy: LocalCopy,
    gate: Gate,
    pullAll: () => Promise<void>,
    { onProgress }: ExchangeListener,
  ): Promise<boolean> {
    return resealAll(host, copy, gate, pullAll, onProgress).finally(() => onProgress(0));
  }
}

/** Sends into a space. What the space does not have may be a space that this account does not have any more. */
function hostIn(host: OfflineHost, spaceId: string): OfflineHost {
  let isAsked = false;
  return {
    ...host,
    // The keys of the account seal nothing in a space.
    hasFormerAccountKeys: () => Promise.resolve(false),
    send: async (request) => {
      try {
        return await host.sendIn(spaceId, request);
      } catch (error) {
        const isSure = isAsked && request.method === 'GET';
        if (statusOf(error) !== 404 || !isOwnAnswer(error) || isSure) throw error;
        isAsked = true;
        const now = await host.spaces()?.reread(spaceId);
        if (now?.state === 'member') throw error;
        throw Object.assign(new Error('The access to this shared profile has ended.'), {
          code: ACCESS_ENDED,
        });
      }
    },
  };
}
