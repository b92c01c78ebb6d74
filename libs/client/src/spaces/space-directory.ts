import type { CallOptions } from '../records/record-types';
import type { SpaceBlock, SpaceRole } from './space-types';

/** A space that this device has checked: its rosters lead to what was known, and its key is open. */
export interface SpacePlace {
  spaceId: string;
  profileId: string;
  role: SpaceRole;
  /** Of the header `Health-Space`: that of the newest roster and key that were checked. */
  version: number;
  /** Position of the newest change in the feed of the space, as `GET /api/spaces` says; absent if not asked yet. */
  lastChange?: string;
  /** `removed`, `deleted`: access has ended. */
  state: 'member' | 'removed' | 'deleted';
  blocked: SpaceBlock | null;
  /** Who is a carer by the newest roster. */
  carers: readonly string[];
  /** What the profile is to this person; empty where nothing was said. */
  relationship: string;
}

/** Which spaces the account has. The option `spaces` of the client makes it. */
export interface SpaceDirectory {
  readonly places: readonly SpacePlace[];
  /** Whether this account has accepted an invitation and is not let in yet: each sync asks then, too. */
  readonly isWaiting: boolean;
  /** What this device knows, without a network. The keys are in the key ring afterwards. */
  open(): Promise<readonly SpacePlace[]>;
  /** Asks the service, and reads, checks and opens what has changed. */
  refresh(options?: CallOptions): Promise<readonly SpacePlace[]>;
  /** Reads one space anew: after `space_changed`, or for a row that no key opens. */
  reread(spaceId: string, options?: CallOptions): Promise<SpacePlace | undefined>;
}

/** What a device keeps of a space beside its records: a text of the directory. It holds no open key. */
export interface SpaceMemory {
  list(): Promise<string[]>;
  read(spaceId: string): Promise<string | undefined>;
  /** @param text `null` removes it. */
  write(spaceId: string, text: string | null): Promise<void>;
}
