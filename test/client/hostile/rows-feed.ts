import { type Family, type Kind, SEALED, type Wire } from './family';
import { alsoShows, error, feedIs, inFeed, newListing, notFound, portal, tombstone } from './lies';
import type { Row } from './bench';
import { cut, html, json, type Lie, slowly } from './lying-fetch';

const SOMEBODY = '0192f0c1-0000-7000-8000-000000000002';
const STUCK = [
  'protocol_violation',
  'offline',
  'network_failed',
  'timed_out',
  'http_.*',
  'sync_stuck',
  'internal',
  'rate_limited',
  'overloaded',
  'validation_failed',
  'sync_reset',
  'gone_fishing',
  'forbidden',
];
const KEPT = ['deletion_unproven', 'withheld', 'missing_after_reset'];
const offline = ['offline'] as const;
/** The feed says that the records are deleted, and the record itself is not found any more. */
const goneForGood =
  (which: (family: Family, kind: Kind) => [kind: string, id: string][]) =>
  (family: Family, kind: Kind): Lie => {
    const gone = which(family, kind);
    const feedLies = alsoShows(() => gone.map(([each, id]) => tombstone(each, id)))(family, kind);
    return (asked, pass) =>
      asked.method === 'GET' && gone.some(([, id]) => asked.path.endsWith(`/${id}`))
        ? notFound()
        : feedLies(asked, pass);
  };
const feed = (row: Omit<Row, 'kinds' | 'on'> & Partial<Row>): Row => ({
  kinds: ['medication'],
  on: offline,
  ...row,
});

/** What the service says in the feed: deletions, gaps, order, pages and the answer itself. */
export const FEED: Row[] = [
  feed({
    lie: 'a forged deletion',
    tell: alsoShows((family, kind) => [tombstone(kind, family.subjects[kind])]),
    kinds: [...SEALED, 'dose'],
    told: [],
  }),
  feed({
    lie: 'a forged deletion, and 404 to the record',
    tell: goneForGood((family, kind) => [[kind, family.subjects[kind]]]),
    kinds: SEALED,
    told: ['deletion_unproven'],
    answer: 'keep',
  }),
  feed({
    lie: 'forged deletions of all medicines, and 404 to each',
    tell: goneForGood(({ subjects, others }) => [
      ['medication', subjects.medication],
      ['medication', others.medication.id],
    ]),
    told: ['deletion_unproven'],
    answer: 'keep',
  }),
  feed({
    lie: 'a forged deletion of the profile of everything, and 404 to it',
    tell: goneForGood(({ person }) => [['profile', person.profileId]]),
    told: ['deletion_unproven'],
    answer: 'keep',
  }),
  feed({
    lie: 'forged deletions of all that there is',
    tell: alsoShows((family) =>
      SEALED.flatMap((kind) =>
        [family.newest[kind], family.others[kind]].map((row) =>
          tombstone(kind, row.profile_id && kind === 'profile' ? row.profile_id : row.id),
        ),
      ),
    ),
    told: [],
  }),
  feed({
    lie: 'a deletion, and the record after it',
    tell: alsoShows((family, kind) => [
      tombstone(kind, family.subjects[kind]),
      { kind, id: family.subjects[kind], record: family.newest[kind as 'medication'] },
    ]),
    kinds: SEALED,
    told: 'quiet',
  }),
  feed({
    lie: 'the record, and its deletion after it',
    tell: alsoShows((family, kind) => [
      { kind, id: family.subjects[kind], record: family.newest[kind as 'medication'] },
      tombstone(kind, family.subjects[kind]),
    ]),
    kinds: SEALED,
    told: [],
  }),
  feed({
    lie: 'a deletion of what nobody knows',
    tell: alsoShows((_family, kind) => [tombstone(kind, SOMEBODY)]),
    kinds: SEALED,
    told: 'quiet',
  }),
  feed({
    lie: 'a deletion of another kind with the id',
    tell: alsoShows((family) => [tombstone('appointment', family.subjects.medication)]),
    told: 'quiet',
  }),
  feed({
    lie: 'a kind that nobody knows',
    tell: alsoShows((family) => [
      { kind: 'poem', id: SOMEBODY, record: { id: SOMEBODY, profile_id: family.person.profileId } },
    ]),
    told: 'quiet',
  }),
  feed({
    lie: 'a kind with the name of a member of every object',
    tell: alsoShows(() =>
      ['__proto__', 'constructor', 'toString'].map((kind) => ({
        kind,
        id: SOMEBODY,
        record: { id: SOMEBODY },
      })),
    ),
    told: [],
  }),
  feed({
    lie: 'a new listing without the record',
    tell: newListing((changes, family, kind) => changes.filter(({ id }) => id !== family.subjects[kind])),
    kinds: SEALED,
    told: KEPT,
    answer: 'keep',
  }),
  feed({ lie: 'a new listing that is empty', tell: newListing(() => []), told: KEPT, answer: 'keep' }),
  feed({
    lie: 'a new listing that is half',
    tell: newListing((changes) => changes.slice(0, changes.length / 2)),
    told: KEPT,
    answer: 'keep',
  }),
  feed({
    lie: 'a new listing in the other order',
    tell: newListing((changes) => [...changes].reverse()),
    told: [],
  }),
  feed({
    lie: 'a new listing with everything twice',
    tell: newListing((changes) => [...changes, ...changes]),
    told: 'quiet',
  }),
  feed({
    lie: 'a new listing with older states first',
    tell: newListing((changes, family) => [
      ...SEALED.map((kind) => ({ kind, id: family.subjects[kind], record: family.older[kind] })),
      ...changes,
    ]),
    told: [],
  }),
  feed({
    lie: 'a new listing with older states last',
    tell: newListing((changes, family) => [
      ...changes,
      ...SEALED.map((kind) => ({ kind, id: family.subjects[kind], record: family.older[kind] })),
    ]),
    told: [],
  }),
  feed({
    lie: 'a new listing with the records of each other',
    tell: newListing((changes) =>
      changes.map((each, at) => ({ ...each, record: changes.at(at - 1)!.record })),
    ),
    told: [],
  }),
  feed({
    lie: 'a false cursor',
    tell: inFeed((page) => ({ ...page, cursor: 'eyJmYWxzZSI6dHJ1ZX0' })),
    told: [],
  }),
  feed({
    lie: 'a cursor with a line feed',
    tell: inFeed((page) => ({ ...page, cursor: 'a\nb' })),
    told: STUCK,
  }),
  feed({ lie: 'an empty cursor', tell: inFeed((page) => ({ ...page, cursor: '' })), told: STUCK }),
  feed({
    lie: 'a cursor of a megabyte',
    tell: inFeed((page) => ({ ...page, cursor: 'a'.repeat(1_000_000) })),
    told: STUCK,
  }),
  feed({ lie: 'a cursor that is no text', tell: inFeed((page) => ({ ...page, cursor: 7 })), told: STUCK }),
  feed({
    lie: 'an epoch with a line feed',
    tell: inFeed((page) => ({ ...page, epoch: 'a\nb' })),
    told: STUCK,
  }),
  feed({ lie: 'no epoch', tell: inFeed(({ epoch: _epoch, ...page }) => page), told: STUCK }),
  feed({
    lie: 'an epoch of a megabyte',
    tell: inFeed((page) => ({ ...page, epoch: 'e'.repeat(1_000_000) })),
    told: STUCK,
  }),
  feed({
    lie: 'another epoch at every answer',
    tell: () => {
      let turn = 0;
      return inFeed((page) => ({ ...page, epoch: `epoch${(turn += 1)}` }))(undefined as never, 'medication');
    },
    told: [],
  }),
  feed({
    lie: 'more for ever, with the same cursor',
    tell: inFeed((page) => ({ ...page, has_more: true })),
    told: STUCK,
  }),
  feed({
    lie: 'more for ever, with new cursors',
    tell: () => {
      let turn = 0;
      return (asked, pass) => {
        if (asked.path !== '/api/sync') return pass();
        return json(200, { epoch: 'e', cursor: `c${(turn += 1)}`, has_more: true, changes: [] });
      };
    },
    told: STUCK,
  }),
  feed({
    lie: 'more, and nobody knows whether',
    tell: inFeed((page) => ({ ...page, has_more: 'perhaps' })),
    told: STUCK,
  }),
  feed({
    lie: 'changes that are no list',
    tell: inFeed((page) => ({ ...page, changes: { length: 3 } })),
    told: STUCK,
  }),
  feed({
    lie: 'changes of nothing',
    tell: inFeed((page) => ({ ...page, changes: [null, 7, 'x', []] })),
    told: STUCK,
  }),
  feed({
    lie: 'a change without an id',
    tell: inFeed((page) => ({ ...page, changes: [{ kind: 'medication', deleted: true }] })),
    told: STUCK,
  }),
  feed({
    lie: 'a change with a path as its id',
    tell: inFeed((page) => ({ ...page, changes: [tombstone('medication', '../../users/me')] })),
    told: STUCK,
  }),
  ...(
    [
      ['410 to every cursor', () => error(410, 'sync_reset')],
      ['410 of another code', () => error(410, 'gone_fishing')],
      ['410 in HTML', () => html(410)],
      ['400 to every cursor', () => error(400, 'validation_failed')],
      ['a portal’s page', () => portal()],
      ['a portal’s JSON', () => json(200, { status: 'ok', login: 'https://portal.example' })],
      ['nothing, with 204', () => ({ status: 204, headers: {}, text: '' })],
      ['an empty text', () => ({ status: 200, headers: {}, text: '' })],
      ['an empty object', () => json(200, {})],
      ['an empty list', () => json(200, [])],
      ['null', () => json(200, null)],
      ['half of a JSON', () => ({ status: 200, headers: {}, text: '{"epoch":"e","cursor":"c","chan' })],
      ['404 in HTML', () => html(404)],
      ['403', () => error(403, 'forbidden')],
      ['500', () => error(500, 'internal')],
      ['502 in HTML', () => html(502)],
      ['503 for 34 days', () => error(503, 'overloaded', { 'retry-after': '3000000' })],
      ['429 for a minus', () => error(429, 'rate_limited', { 'retry-after': '-1' })],
      [
        '429 until a date in 2099',
        () => error(429, 'rate_limited', { 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' }),
      ],
      ['429 for no time at all', () => error(429, 'rate_limited', { 'retry-after': 'soon' })],
      ['304', () => ({ status: 304, headers: { etag: '"1"' }, text: '' })],
      ['a cut connection', () => cut()],
      [
        'an array 10,000 deep',
        () => ({ status: 200, headers: {}, text: '['.repeat(10_000) + ']'.repeat(10_000) }),
      ],
    ] as const
  ).map(([what, answer]) => feed({ lie: `the feed: ${what}`, tell: feedIs(answer), told: STUCK })),
  feed({
    lie: 'the feed: hostile headers',
    tell: feedIs(async (_asked, pass) => ({
      ...(await pass()),
      headers: {
        'content-type': 'image/png',
        link: '</api/sync>; rel="next"',
        etag: 'W/"',
        'retry-after': '1e99',
        date: 'never',
      },
    })),
    told: 'quiet',
  }),
  feed({
    lie: 'the feed: slow',
    tell: feedIs(async (_asked, pass) => (await slowly(50), pass())),
    told: 'quiet',
  }),
  feed({
    lie: '100,000 rows of records that nobody can open',
    tell: (family) => {
      let isSent = false;
      return inFeed((page) => {
        if (isSent) return page;
        isSent = true;
        const record = (id: string): Wire => ({ id, profile_id: family.person.profileId });
        const ids = Array.from(
          { length: 100_000 },
          (_, at) => `0192f0c1-0000-7000-8000-${at.toString(16).padStart(12, '0')}`,
        );
        return { ...page, changes: ids.map((id) => ({ kind: 'medication', id, record: record(id) })) };
      })(family, 'medication');
    },
    told: ['tampered', 'protocol_violation', 'too_many_changes'],
  }),
  feed({
    lie: 'a deletion of a profile, and of nothing below it',
    tell: alsoShows((family) => [tombstone('profile', family.person.profileId)]),
    told: [],
  }),
];
