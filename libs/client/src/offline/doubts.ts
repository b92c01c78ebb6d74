import { askFor } from './ask-again';
import type { Gate } from './gate';
import type { LocalCopy } from './local-copy';
import type { OfflineHost } from './offline-host';
import {
  asideKey,
  lostKey,
  missingKey,
  recordKey,
  type AsideRecord,
  type CachedRecord,
} from './offline-rows';

/** How many records are asked for again in one sync. */
const MAX_ASKED_AGAIN = 50;

/** What the service shows or leaves out, and this device does not believe. */
export class Doubts {
  constructor(
    private readonly host: OfflineHost,
    private readonly copy: LocalCopy,
    private readonly gate: Gate,
  ) {}

  /** Asks again for what is kept aside, and for what the heads list and the service has not shown. */
  async settle(): Promise<void> {
    const absent = await this.#absent();
    const waiting = [...this.copy.asides, ...absent].filter(
      ({ above, isLeft }) => above === undefined && !isLeft,
    );
    waiting.sort((a, b) => a.times - b.times);
    const lists = new Map<string, Promise<unknown>>();
    for (const each of waiting.slice(0, MAX_ASKED_AGAIN)) {
      const { kind, id } = each;
      const body = await askFor(this.host, this.copy, each, lists);
      // A head may have proved a deletion since.
      if (body === null && each.code !== 'deletion_unproven') continue;
      const rows = await this.gate.judge([{ kind, id, body: body ?? undefined }]);
      // The service has no such record, and a head says that it exists.
      const isWithheld = each.code === 'withheld' && body === undefined && !rows[recordKey(kind, id)];
      if (isWithheld && (await this.#isListed(kind, id))) {
        rows[asideKey(kind, id)] = { ...each, times: each.times + 1 } satisfies AsideRecord;
      }
      await this.copy.change(() => ({ rows, result: undefined }));
    }
    // What lies below a record whose doubt was settled.
    const below = this.copy.asides.filter(({ above }) => above !== undefined);
    if (below.length === 0) return;
    const rows = await this.gate.judge(below.map(({ kind, id }) => ({ kind, id, body: undefined })));
    await this.copy.change(() => ({ rows, result: undefined }));
  }

  /**
   * Asks for each profile. A service may have shown an old one under the newest revision, and no head of another record
   * says so: the feed would not show it again.
   */
  async confirmProfiles(): Promise<void> {
    for (const { id, body: known } of this.copy.records('profile')) {
      const body = await askFor(this.host, this.copy, { kind: 'profile', id, body: undefined });
      if (!body || JSON.stringify(body) === JSON.stringify(known)) continue;
      const rows = await this.gate.judge([{ kind: 'profile', id, body }]);
      await this.copy.change(() => ({ rows, result: undefined }));
    }
  }

  async #absent(): Promise<AsideRecord[]> {
    const [absent, since] = [[] as AsideRecord[], new Date().toISOString()];
    for (const profile of this.copy.records('profile')) {
      if (!(await this.gate.isOpen(profile.id))) continue;
      for (const { kind, id, generation } of this.host.listed(profile.id)) {
        if (!this.host.kindOf(kind) || this.copy.get(asideKey(kind, id)) || this.#isAccountedFor(kind, id))
          continue;
        const row = this.copy.get<CachedRecord>(recordKey(kind, id));
        if (row && (row.seal?.generation ?? generation) >= generation) continue;
        const message = 'A device has sealed that this record exists. The service does not show it.';
        absent.push({ kind, id, code: 'withheld', message, since, times: 0 });
      }
    }
    return absent;
  }

  async #isListed(kind: string, id: string): Promise<boolean> {
    for (const profile of this.copy.records('profile')) {
      if (!(await this.gate.isOpen(profile.id))) continue;
      if (this.host.listed(profile.id).some((each) => each.id === id && each.kind === kind)) return true;
    }
    return false;
  }

  /** Whether a problem or a write of this device says already where the record is. */
  #isAccountedFor(kind: string, id: string): boolean {
    return (
      this.copy.get(missingKey(kind, id)) !== undefined ||
      this.copy.get(lostKey(kind, id)) !== undefined ||
      this.copy.outbox.some((entry) => entry.id === id && entry.kind === kind)
    );
  }
}
