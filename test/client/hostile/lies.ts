import { PATHS, SEALED, type Family, type Kind, type Wire } from './family';
import { cut, html, json, type Answer, type Asked, type Lie } from './lying-fetch';

/** The parts of which lies are made. */

const isRead = ({ method }: Asked) => method === 'GET';
export const isFeed = ({ path }: Asked) => path === '/api/sync';
export const isWrite = ({ method, path }: Asked) => method !== 'GET' && !path.startsWith('/api/auth');

function kindOfPath(path: string): Kind | undefined {
  if (/\/log(\/|$)/.test(path)) return 'dose';
  return SEALED.find((kind) => path.startsWith(PATHS[kind]));
}

export const idOf = (kind: Kind, row: Wire): string => (kind === 'profile' ? row.profile_id : row.id);

/** Changes each record in every answer to a read: feed, lists and single records. `undefined` leaves it out. */
export function inRows(change: (row: Wire, kind: Kind) => unknown): Lie {
  return async (asked, pass) => {
    const answer = await pass();
    if (!isRead(asked) || answer.status !== 200) return answer;
    const body = JSON.parse(answer.text);
    const changed = (row: Wire, kind: Kind) => change(structuredClone(row), kind);
    if (isFeed(asked)) {
      const changes = body.changes.flatMap((each: Wire) => {
        if (each.deleted) return [each];
        const record = changed(each.record, each.kind);
        return record === undefined ? [] : [{ ...each, record }];
      });
      return json(200, { ...body, changes });
    }
    const kind = kindOfPath(asked.path);
    if (!kind) return answer;
    if (!Array.isArray(body)) {
      const row = changed(body, kind);
      return row === undefined ? notFound() : { ...answer, text: JSON.stringify(row) };
    }
    const rows = body.map((row: Wire) => changed(row, kind)).filter((row: unknown) => row !== undefined);
    return { ...answer, text: JSON.stringify(rows) };
  };
}

/** As {@link inRows}, of the subject only. The feed shows it again, as if it was just changed. */
export function inSubject(change: (row: Wire, family: Family, kind: Kind) => unknown) {
  return (family: Family, kind: Kind): Lie => {
    const id = family.subjects[kind];
    const lie = inRows((row, of) => (of === kind && idOf(of, row) === id ? change(row, family, kind) : row));
    const newest = (family.newest as Record<string, Wire>)[kind];
    return async (asked, pass) => {
      if (!isFeed(asked) || !newest) return lie(asked, pass);
      const answer = await pass();
      if (answer.status !== 200) return answer;
      const page = JSON.parse(answer.text);
      const isThere = page.changes.some((each: Wire) => each.kind === kind && each.id === id);
      const shown = change(structuredClone(newest), family, kind);
      if (!isThere && shown !== undefined) page.changes.push({ kind, id, record: newest });
      return lie(asked, () => Promise.resolve(json(200, page)));
    };
  };
}

/** Changes the page of the feed. */
export function inFeed(change: (page: Wire, family: Family, kind: Kind, asked: Asked) => unknown) {
  return (family: Family, kind: Kind): Lie =>
    async (asked, pass) => {
      const answer = await pass();
      if (!isFeed(asked) || answer.status !== 200) return answer;
      return json(200, change(JSON.parse(answer.text), family, kind, asked), answer.headers);
    };
}

/** The feed shows these changes in addition. */
export const alsoShows = (changes: (family: Family, kind: Kind) => Wire[]) =>
  inFeed((page, family, kind) => ({ ...page, changes: [...page.changes, ...changes(family, kind)] }));

/** The whole feed again, after a reset, with changes. */
export const newListing =
  (change: (changes: Wire[], family: Family, kind: Kind) => Wire[]) =>
  (family: Family, kind: Kind): Lie => {
    let [isReset, isDone] = [false, false];
    return async (asked, pass) => {
      if (!isFeed(asked)) return pass();
      if (!isReset) {
        isReset = true;
        return json(410, { error: 'Begin anew.', code: 'sync_reset', request_id: 'r' });
      }
      const answer = await pass();
      if (isDone || answer.status !== 200) return answer;
      const page = JSON.parse(answer.text);
      isDone = !page.has_more;
      return json(200, { ...page, changes: change(page.changes, family, kind) });
    };
  };

/** Answers requests for the feed with something else. */
export const feedIs =
  (answer: (asked: Asked, pass: () => Promise<Answer>) => Answer | Promise<Answer>) =>
  (): Lie =>
  (asked, pass) => (isFeed(asked) ? answer(asked, pass) : pass());

/** Answers writes without a word to the service. */
export const writesGet = (answer: (asked: Asked) => Answer) => (): Lie => (asked, pass) =>
  isWrite(asked) ? answer(asked) : pass();

/** The service executes the write, and another answer comes back. */
export const storedBut =
  (answer: (asked: Asked, real: Answer) => Answer) => (): Lie => async (asked, pass) => {
    const real = await pass();
    return isWrite(asked) ? answer(asked, real) : real;
  };

/** Another answer to every request. */
export const everything = (answer: (asked: Asked) => Answer) => (): Lie => (asked) => answer(asked);

export const error = (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  json(status, { error: `It is ${code}.`, code, request_id: 'r-1' }, headers);
export const notFound = () => error(404, 'not_found');
export const tombstone = (kind: string, id: string) => ({ kind, id, deleted: true });
export const portal = () => html(200);
export const lost = () => cut();

const SEAL: Record<string, [ciphertext: string, iv: string]> = { profile: ['name_data', 'name_iv'] };

/** Changes the ciphertext of a record, whatever its kind. */
export function withCiphertext(kind: Kind, row: Wire, change: (text: string) => unknown): Wire {
  const [field] = SEAL[kind] ?? [];
  if (field) return { ...row, [field]: change(row[field]) };
  return {
    ...row,
    encrypted_data: { ...row.encrypted_data, ciphertext: change(row.encrypted_data.ciphertext) },
  };
}

/** The sealed part of another record. */
export function withSealOf(kind: Kind, row: Wire, other: Wire): Wire {
  if (kind === 'profile') return { ...row, name_data: other.name_data, name_iv: other.name_iv };
  return { ...row, encrypted_data: other.encrypted_data };
}

export function flipped(text: string, at = 40): string {
  const bytes = Buffer.from(text, 'base64');
  bytes[at] ^= 1;
  return bytes.toString('base64');
}
