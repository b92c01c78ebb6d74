import { SEALED, type Wire } from './family';
import { flipped, idOf, inRows, inSubject, withCiphertext, withSealOf } from './lies';
import type { Row } from './bench';

const UNREADABLE = ['tampered', 'format_unsupported', 'protocol_violation', 'key_mismatch'];
const OLD = ['rolled_back', 'stale_revision'];
const others = SEALED.filter((kind) => kind !== 'profile');
const SOMEBODY = '0192f0c1-0000-7000-8000-000000000001';

/** What the service says of one record. */
export const READS: Row[] = [
  {
    lie: 'an older authentic state',
    tell: inSubject((_row, family) => family.older.profile),
    kinds: ['profile'],
    told: OLD,
    isBlindAnew: true,
  },
  {
    lie: 'an older state under the newest revision',
    tell: inSubject((row, family) => ({ ...family.older.profile, revision: row.revision })),
    kinds: ['profile'],
    told: OLD,
    isBlindAnew: true,
  },
  {
    lie: 'an older state under a revision to come',
    tell: inSubject((row, family) => ({ ...family.older.profile, revision: row.revision + 7 })),
    kinds: ['profile'],
    told: OLD,
    isBlindAnew: true,
  },
  {
    lie: 'an older authentic state',
    tell: inSubject((_row, family, kind) => family.older[kind as 'medication']),
    kinds: ['medication', 'appointment', 'health_stat'],
    told: OLD,
  },
  {
    lie: 'an older state under the newest revision',
    tell: inSubject((row, family, kind) => ({
      ...family.older[kind as 'medication'],
      revision: row.revision,
    })),
    kinds: ['medication', 'appointment', 'health_stat'],
    told: OLD,
  },
  {
    lie: 'an older state under a revision to come, changed tomorrow',
    tell: inSubject((row, family, kind) => ({
      ...family.older[kind as 'medication'],
      revision: row.revision + 7,
      updated_at: '2099-01-01T00:00:00.000Z',
    })),
    kinds: ['medication', 'appointment', 'health_stat'],
    told: OLD,
  },
  {
    lie: 'one flipped bit',
    tell: inSubject((row, _family, kind) => withCiphertext(kind, row, (text) => flipped(text))),
    kinds: SEALED,
    told: UNREADABLE,
  },
  {
    lie: 'a flipped bit in the frame',
    tell: inSubject((row, _family, kind) => withCiphertext(kind, row, (text) => flipped(text, 0))),
    kinds: SEALED,
    told: UNREADABLE,
  },
  {
    lie: 'half of the ciphertext',
    tell: inSubject((row, _family, kind) =>
      withCiphertext(kind, row, (text) => text.slice(0, text.length / 2)),
    ),
    kinds: SEALED,
    told: UNREADABLE,
  },
  {
    lie: 'no ciphertext',
    tell: inSubject((row, _family, kind) => withCiphertext(kind, row, () => '')),
    kinds: SEALED,
    told: UNREADABLE,
  },
  {
    lie: 'a ciphertext that is no text',
    tell: inSubject((row, _family, kind) => withCiphertext(kind, row, () => ({ ciphertext: [1], iv: null }))),
    kinds: SEALED,
    told: UNREADABLE,
  },
  {
    lie: 'the sealed part of another record of the kind',
    tell: inSubject((row, family, kind) => withSealOf(kind, row, family.others[kind as 'medication'])),
    kinds: SEALED,
    told: UNREADABLE,
  },
  {
    lie: 'the sealed part of another kind',
    tell: inSubject((row, family, kind) =>
      withSealOf(kind, row, family.newest[kind === 'medication' ? 'appointment' : 'medication']),
    ),
    kinds: others,
    told: UNREADABLE,
  },
  {
    lie: 'the plain profile of another record',
    tell: inSubject((row, family) => ({ ...row, profile_id: family.subjects.profile })),
    kinds: others,
    told: UNREADABLE,
  },
  {
    lie: 'a profile that nobody has',
    tell: inSubject((row) => ({ ...row, profile_id: SOMEBODY })),
    kinds: others,
    told: [...UNREADABLE, 'profile_unknown', 'not_found'],
  },
  {
    lie: 'another record under the id',
    tell: inSubject((_row, family, kind) => family.others[kind as 'medication']),
    kinds: SEALED,
    told: [...UNREADABLE, 'records_missing'],
  },
  ...[0, -1, 1.5, 'seven', null, 2 ** 60].map((revision): Row => ({
    lie: `the revision ${String(revision)}`,
    tell: inSubject((row) => ({ ...row, revision })),
    kinds: ['medication', 'profile'],
    told: [...UNREADABLE, 'stale_revision'],
  })),
  ...[{}, [], 'text', 7, null].map((value): Row => ({
    lie: `${JSON.stringify(value)} in place of the record`,
    tell: inSubject(() => value),
    kinds: ['medication', 'profile'],
    on: ['offline'],
    told: UNREADABLE,
  })),
  {
    lie: 'times that are none',
    tell: inSubject((row) => ({ ...row, updated_at: 'soon', created_at: 'never' })),
    kinds: SEALED,
    told: UNREADABLE,
  },
  {
    lie: 'changed in the year 2099',
    tell: inSubject((row) => ({ ...row, updated_at: '2099-01-01T00:00:00.000Z' })),
    kinds: SEALED,
    told: [],
  },
  {
    lie: 'other plain members',
    tell: inSubject((row, _family, kind) => ({ ...row, ...PLAIN[kind] })),
    kinds: SEALED,
    told: ['altered'],
  },
  {
    lie: 'members that nobody knows, and a prototype',
    tell: inSubject((row) => ({ ...row, shadow: 1, ['__proto__']: { polluted: true }, constructor: {} })),
    kinds: SEALED,
    told: 'quiet',
  },
  {
    lie: 'the key of another profile',
    tell: inSubject((row, family) => ({
      ...row,
      wrapped_profile_dek: family.others.profile.wrapped_profile_dek,
      wrapped_profile_dek_iv: family.others.profile.wrapped_profile_dek_iv,
    })),
    kinds: ['profile'],
    told: UNREADABLE,
  },
  {
    lie: 'a name that nobody has sealed',
    tell: inSubject((row) => ({ ...row, name_data: '', name_iv: '', revision: 1 })),
    kinds: ['profile'],
    told: [...UNREADABLE, ...OLD],
  },
  {
    lie: 'a skipped dose as taken',
    tell: (family) =>
      inRows((row, kind) =>
        kind === 'dose' && idOf(kind, row) === family.subjects.dose ? { ...row, taken: true } : row,
      ),
    kinds: ['dose'],
    // A device with a cache has seen the dose before.
    told: [],
    toldOnline: ['unproven'],
  },
];

const PLAIN: Record<string, Wire> = {
  profile: { relationship: 'stranger' },
  medication: { route: 'nasal', dose_schedule: { times_per_day: 9 } },
  appointment: { status: 'cancelled' },
  health_stat: { recorded_at: '2020-01-01T00:00:00.000Z' },
};
