import type { CallOptions } from '../records/record-types';
import type { SpaceDirectory, SpaceMemory, SpacePlace } from '../spaces/space-directory';
import { adopt } from './adoption';
import { ACCESS_ENDED, codeOf, isInterrupted, SERVICE_OUTDATED } from './failures';
import type { LocalCopy, RowValues } from './local-copy';
import type { OfflineHost } from './offline-host';
import { circleKey, entryKey, type CircleRow } from './offline-rows';

/** A space, and the copy of its records. */
export interface CopiedPlace {
  place: SpacePlace;
  copy: LocalCopy;
}

/** The copies of the spaces of the open account. */
export class SpaceCopies {
  readonly #copies = new Map<string, LocalCopy>();
  #turn: Promise<unknown> = Promise.resolve();
  #isAsked = false;

  /** @param make an empty copy of the rows of a space. */
  constructor(
    private readonly host: Pick<OfflineHost, 'spaces' | 'forgetKey'>,
    private readonly own: LocalCopy,
    private readonly make: (place: SpacePlace) => LocalCopy,
  ) {}

  get #directory(): SpaceDirectory | undefined {
    return this.host.spaces();
  }

  /** Those that the directory names and this device has a copy of. */
  get all(): CopiedPlace[] {
    return (this.#directory?.places ?? []).flatMap((place) => {
      const copy = this.#copies.get(place.spaceId);
      return copy ? [{ place, copy }] : [];
    });
  }

  get copies(): LocalCopy[] {
    return [...this.#copies.values()];
  }

  /** Those that answer reads: whose records this device has once read to the end, or will read no more. */
  get readable(): CopiedPlace[] {
    return this.all.filter(({ copy, place }) => copy.state.isComplete || place.state !== 'member');
  }

  placeOf(spaceId: string): SpacePlace | undefined {
    return this.#directory?.places.find((place) => place.spaceId === spaceId);
  }

  /** What this device knows, without a network. What it cannot open is asked for by the sync, which says why. */
  async open(): Promise<void> {
    try {
      await this.#directory?.open();
    } catch (error) {
      if (isInterrupted(error)) throw error;
    }
    await this.take();
  }

  /** The copy of a space that the directory names, perhaps since a moment ago. */
  async copyOf(spaceId: string): Promise<LocalCopy | undefined> {
    if (!this.#copies.has(spaceId)) await this.take();
    return this.#copies.get(spaceId);
  }

  /** Asks for the spaces: once after an unlock, and then while there is one, or one to come. */
  async refresh(options: CallOptions = {}): Promise<void> {
    const directory = this.#directory;
    if (!directory) return;
    const { places, isWaiting } = directory;
    if (this.#isAsked && places.length === 0 && !isWaiting) return;
    await this.refreshAnyway(options);
  }

  /** The same for a profile that the account does not have any more: it may be in a space now. */
  async refreshAnyway(options: CallOptions = {}): Promise<void> {
    try {
      await this.#directory?.refresh(options);
      this.#isAsked = true;
    } catch (error) {
      // The records of the account itself are there all the same. The next sync asks again.
      if (codeOf(error) !== SERVICE_OUTDATED) throw error;
      this.#isAsked = false;
    }
    await this.take();
  }

  /** Brings the copies in line with what the directory says. */
  take(): Promise<void> {
    const turn = this.#turn.then(
      () => this.#take(),
      () => this.#take(),
    );
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #take(): Promise<void> {
    for (const place of this.#directory?.places ?? []) {
      const copy = this.#copies.get(place.spaceId) ?? this.make(place);
      await adopt(this.own, copy);
      this.#copies.set(place.spaceId, copy);
      if (place.state !== 'member') await this.#endAccess(place, copy);
    }
  }

  /**
   * Nothing is sent any more. Who could only look or note keeps no record, and no key but for its own unsent writes, whose
   * text it can copy. Who could write all may export what this device has, until it is removed.
   */
  async #endAccess({ spaceId, profileId, role }: SpacePlace, copy: LocalCopy): Promise<void> {
    const keeps = role === 'editor' || role === 'owner';
    await copy.change<void>(() => {
      const rows: RowValues = {};
      for (const entry of copy.outbox) {
        if (entry.problem?.code === ACCESS_ENDED) continue;
        const message = 'The access to this shared profile ended before the change was sent.';
        rows[entryKey(entry.number)] = { ...entry, problem: { code: ACCESS_ENDED, message } };
      }
      if (!keeps) for (const key of copy.keys) if (!key.startsWith('outbox ')) rows[key] = null;
      return { rows, result: undefined };
    });
    if (keeps || copy.outbox.length > 0) return;
    await this.#writeCircle(spaceId, null);
    this.host.forgetKey(profileId);
  }

  /** What the directory keeps beside the records. */
  readonly memory: SpaceMemory = {
    list: async () => {
      await this.own.catchUp();
      return this.own.circles.map(({ spaceId }) => spaceId);
    },
    read: async (spaceId) => {
      await this.own.catchUp();
      return this.own.get<CircleRow>(circleKey(spaceId))?.text;
    },
    write: async (spaceId, text) => {
      if (text === null) await this.#drop(spaceId);
      await this.#writeCircle(spaceId, text);
    },
  };

  async #writeCircle(spaceId: string, text: string | null): Promise<void> {
    const key = circleKey(spaceId);
    await this.own.change<void>(() => {
      if (this.own.get<CircleRow>(key)?.text === (text ?? undefined)) return { rows: {}, result: undefined };
      return { rows: { [key]: text === null ? null : { spaceId, text } }, result: undefined };
    });
  }

  /** Removes all that this device has of a space, unsent writes too. */
  async #drop(spaceId: string): Promise<void> {
    const copy = this.#copies.get(spaceId);
    if (!copy) return;
    await copy.change<void>(() => {
      return { rows: Object.fromEntries(copy.keys.map((key) => [key, null])), result: undefined };
    });
    this.host.forgetKey(copy.space!.profileId);
    this.#copies.delete(spaceId);
  }
}
