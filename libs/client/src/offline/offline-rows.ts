import type { JsonObject } from '../json';

/** An encrypted record as the service showed it, or as this device will send it. */
export type WireBody = JsonObject;

/** A record in the cache. */
export interface CachedRecord {
  kind: string;
  id: string;
  body: WireBody;
  /** The listing in which the service last showed it. A reset begins a new listing. */
  listing: number;
  /** What the gate read in it; absent in rows of earlier versions. */
  seal?: Seal;
}

/** What an opened state says of itself. */
export interface Seal {
  /** Of a dose: empty. */
  profileId: string;
  /** 0 for what nobody has sealed. */
  generation: number;
  /** The state that it replaced. */
  previous: string | null;
  earlier?: string;
  /** Names this state. */
  state: string;
  /** Of the key that has sealed it. Absent for the first one, and for a dose. */
  epoch?: number;
}

/** What the service shows of a record, and what this device cannot believe. The last good row stays beside it. */
export interface AsideRecord {
  kind: string;
  id: string;
  code: string;
  message: string;
  /** When this device saw it first. */
  since: string;
  /** How often the service has shown it. Once may be a moment between two requests. */
  times: number;
  /** The state, where it is authentic; absent for a deletion, and for what cannot be opened. */
  body?: WireBody;
  /** The revision that the service names. */
  revision?: number;
  /** The profile or the medication whose own doubt stands for this one. */
  above?: string;
  /** A person has said that the keys may be replaced without it. */
  isLeft?: true;
}

/** The code of a record whose kind this client does not know. */
export const UNKNOWN_KIND = 'kind_unknown';

/** Whether what is kept aside is a dose that can be read, and that no device has proved. */
export function isUnproven({ kind, code }: { kind: string; code: string }): boolean {
  return kind === 'dose' && code === 'unproven';
}

/** A record of the cache that a complete listing after a reset did not show. */
export interface MissingRecord {
  kind: string;
  id: string;
}

/** A failure that needs a person. */
export interface EntryProblem {
  code: string;
  message: string;
}

/** A write that the service has not yet confirmed. */
export interface OutboxEntry {
  /** The order in which entries are sent. */
  number: number;
  action: 'create' | 'update' | 'delete';
  kind: string;
  id: string;
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** The path of the record, for a look at its newest version; absent for kinds that have none. */
  itemPath?: string;
  /** Absent for a delete. */
  body?: WireBody;
  /** Members of the record that follow from the path. */
  parent?: Record<string, string>;
  /** Of a create. */
  idempotencyKey?: string;
  /** The revision that the stored record must have, and the epoch in which it was read. */
  revision?: number;
  epoch?: string;
  /** The version from which the write was made. */
  base?: WireBody;
  /** When the person made the change, by the clock of this device. */
  at: string;
  /** What a person has decided. It is sealed above every known state before it is sent; then it is `false`. */
  isRestored?: boolean;
  /** Whether the service may already have executed it. */
  wasSent?: true;
  problem?: EntryProblem;
}

/** A text of the directory of spaces. */
export interface CircleRow {
  spaceId: string;
  text: string;
}

/** A write that the service has confirmed, and that no head names yet. */
export interface UnsealedWrite {
  number: number;
  kind: string;
  /** The version that it replaced; absent where this device had none. */
  before?: WireBody;
  /** Absent for a delete. */
  after?: WireBody;
  /** A deletion that the person has confirmed. */
  gone?: { profileId: string; id: string };
}

/** The position of this device in the feed. */
export interface FeedState {
  cursor?: string;
  epoch?: string;
  listing: number;
  /** Whether a listing was complete once, so that the cache can answer. */
  isComplete: boolean;
  /** Why the present listing began; absent outside of a listing. */
  listingAfter?: 'start' | 'reset' | 'move';
  lastSuccess: string | null;
  nextNumber: number;
  /** Of a space: what the directory said of it when all changes were read. */
  seen?: string;
}

/** The wrap of a profile's key, as a row. */
export interface FormerRow {
  profileId: string;
  /** Which account key has wrapped it. */
  accountKeyId: string;
  wrapped: string;
  iv: string;
}

/** A passkey that has opened the account key on this device. */
export interface CachedPasskey {
  /** base64url. */
  credentialId: string;
  wrapped: { wrapped: string; iv: string };
}

/** What an unlock without a network needs: the parameters of the password and the key that it wraps, or passkeys. */
export interface CachedAccount {
  id: string;
  email: string;
  /** Absent, like `wrapped`, where only a passkey has opened the account here. */
  kdf?: { kdf: string; iterations: number; salt: string };
  wrapped?: { wrapped: string; iv: string };
  /** The id of that key; absent in rows of earlier versions. */
  keyId?: string;
  passkeys?: CachedPasskey[];
  /** The newest generation of the trust book that this device has seen under that key. */
  trustBook?: number;
}

export const FIRST_STATE: FeedState = {
  listing: 1,
  isComplete: false,
  listingAfter: 'start',
  lastSuccess: null,
  nextNumber: 1,
};

/** What the keys of all rows of an account begin with. */
export const rowsOf = (accountId: string) => `${accountId} `;
/** What follows it in the keys of all rows of a space. */
export const inSpace = (spaceId: string) => `${SPACE}${spaceId} `;
export const SPACE = 'space ';
/** What the directory of spaces keeps of one. */
export const circleKey = (spaceId: string) => `${CIRCLE}${spaceId}`;
export const CIRCLE = 'circle ';
export const recordKey = (kind: string, id: string) => `record ${kind} ${id}`;
/** The last version of a record that was deleted elsewhere, while writes for it wait in the outbox. */
export const lostKey = (kind: string, id: string) => `lost ${kind} ${id}`;
export const entryKey = (number: number) => `outbox ${String(number).padStart(12, '0')}`;
export const unsealedKey = (number: number) => `unsealed ${String(number).padStart(12, '0')}`;
/** Marks a record that the service no longer has after a reset. */
export const missingKey = (kind: string, id: string) => `missing ${kind} ${id}`;
export const asideKey = (kind: string, id: string) => `aside ${kind} ${id}`;
/** The wrap of a profile's key of before all keys were replaced, while writes of this device are sealed under it. */
export const formerKey = (profileId: string) => `${FORMER}${profileId}`;
export const FORMER = 'former ';
export const STATE_KEY = 'state';

/** A member that must be a text; empty if it is not. */
export function textOf(body: WireBody, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : '';
}

const SET_BY_SERVICE = [
  ...['created_at', 'updated_at', 'revision', 'owner_account_id', 'schedule_changed_at', 'author_id'],
];

/** The members of a record that a client may send. */
export function sendable(body: WireBody): WireBody {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !SET_BY_SERVICE.includes(name)));
}
