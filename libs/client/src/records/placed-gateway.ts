import { ApiError, InvalidArgumentError, isAnswer } from '../errors';
import { isJsonObject } from '../json';
import type { SpacePlace } from '../spaces/space-directory';
import { assertMayWrite, type Places } from './places';
import type { RecordGateway, RecordRoute, WireRecord, WriteOptions } from './record-gateway';
import type { CallOptions, PageOptions } from './record-types';

/** The gateways between which a {@link PlacedGateway} chooses. */
export interface Gateways {
  own: RecordGateway;
  /** That of a space. */
  of(spaceId: string): RecordGateway;
  /**
   * Waits until it is known which spaces there are.
   * @param isListOfProfiles whether the list of all profiles is asked for
   * @returns those that can be read
   */
  readable(options: CallOptions, isListOfProfiles: boolean): Promise<readonly SpacePlace[]>;
}

/** The place of the account itself. */
const OWN = '';
/** The record above a dose, of which only the place is asked. */
const MEDICATION = {
  kind: 'medication',
  path: '/api/medications',
  updateMethod: 'PUT',
  deleteMethod: 'DELETE',
} as const;

/** Reads and writes each record where it lies: with the account, or in the space of its profile. */
export class PlacedGateway implements RecordGateway {
  readonly isDeferred: boolean;
  readonly mergesConflicts: boolean;
  /** Where records were found, while these spaces were all that there are. */
  #found = new Map<string, string>();
  #foundAmong = '';

  constructor(
    private readonly gateways: Gateways,
    private readonly places: Places,
  ) {
    this.isDeferred = gateways.own.isDeferred ?? false;
    this.mergesConflicts = gateways.own.mergesConflicts;
  }

  async *list(
    route: RecordRoute,
    query: Record<string, string | undefined>,
    options: PageOptions,
  ): AsyncGenerator<WireRecord[], void, undefined> {
    const readable = await this.gateways.readable(options, route.kind === 'profile');
    const place = await this.#placeOfList(route, query, readable, options);
    const lists = place === undefined ? [OWN, ...readable.map(({ spaceId }) => spaceId)] : [place];
    const pages = lists.map((each) => this.#pages(each, route, query, options));
    if (pages.length === 1) yield* pages[0];
    else yield* inOneOrder(pages, route);
  }

  async get(route: RecordRoute, id: string, options: CallOptions): Promise<WireRecord> {
    const readable = await this.gateways.readable(options, false);
    return (await this.#find(route, id, readable, options)).record;
  }

  async create(route: RecordRoute, body: object, options: CallOptions): Promise<WireRecord> {
    const readable = await this.gateways.readable(options, false);
    const place = await this.#placeOfNew(route, body, readable, options);
    this.#assertMayWrite(place, route, 'create');
    const created = await this.#of(place).create(route, body, options);
    this.#note(place, route, created);
    return created;
  }

  async update(route: RecordRoute, id: string, body: object, options: WriteOptions): Promise<WireRecord> {
    const place = await this.#placeOfStored(route, id, options);
    const profileId = isJsonObject(body) ? body.profile_id : undefined;
    if (typeof profileId === 'string' && this.places.realmOf(profileId) !== place)
      throw new InvalidArgumentError('A record cannot move into a shared profile, nor out of one. Copy it.');
    this.#assertMayWrite(place, route, 'update');
    return this.#of(place).update(route, id, body, options);
  }

  async delete(route: RecordRoute, id: string, options: WriteOptions): Promise<void> {
    const place = await this.#placeOfStored(route, id, options);
    this.#assertMayWrite(place, route, 'delete');
    await this.#of(place).delete(route, id, options);
  }

  /** The space of a medication; empty for one of the account. @throws ApiError `not_found` */
  async spaceOfMedication(id: string, options: CallOptions): Promise<string> {
    return this.#foundOf(MEDICATION, id) ?? this.#placeOfStored(MEDICATION, id, options);
  }

  /** At a lock. */
  forget(): void {
    this.#found.clear();
  }

  /** Where a record was found; `undefined` if it must be looked for. A profile that was shared since takes its records along. */
  #foundOf(route: Pick<RecordRoute, 'kind'>, id: string): string | undefined {
    if (this.places.all.length === 0) return OWN;
    const among = this.places.all.map(({ spaceId }) => spaceId).join(' ');
    if (this.#foundAmong !== among) this.#found = new Map();
    this.#foundAmong = among;
    return this.#found.get(`${route.kind} ${id}`);
  }

  #of(place: string): RecordGateway {
    return place === OWN ? this.gateways.own : this.gateways.of(place);
  }

  async *#pages(
    place: string,
    route: RecordRoute,
    query: Record<string, string | undefined>,
    options: PageOptions,
  ): AsyncGenerator<WireRecord[], void, undefined> {
    for await (const page of this.#of(place).list(route, query, options)) {
      for (const record of page) this.#note(place, route, record);
      yield page;
    }
  }

  /** @returns `undefined` for a list of all places. */
  async #placeOfList(
    { parent }: RecordRoute,
    { profile_id: profileId }: Record<string, string | undefined>,
    readable: readonly SpacePlace[],
    options: CallOptions,
  ): Promise<string | undefined> {
    if (readable.length === 0 && this.places.all.length === 0) return OWN;
    if (profileId !== undefined) return this.places.realmOf(profileId);
    if (!parent) return undefined;
    return this.#placeOfMedication(parent.medication_id, readable, options);
  }

  async #placeOfNew(
    { kind, parent }: RecordRoute,
    body: object,
    readable: readonly SpacePlace[],
    options: CallOptions,
  ): Promise<string> {
    if (kind === 'profile') {
      const { profile_id: id } = body as { profile_id?: unknown };
      // An import of a profile that this account shares: it is there.
      if (typeof id === 'string' && this.places.ofProfile(id))
        throw new ApiError({ status: 409, code: 'id_taken', message: 'The profile is shared already.' });
      return OWN;
    }
    if (parent) return this.#placeOfMedication(parent.medication_id, readable, options);
    const profileId = isJsonObject(body) ? body.profile_id : undefined;
    return typeof profileId === 'string' ? this.places.realmOf(profileId) : OWN;
  }

  async #placeOfStored(route: RecordRoute, id: string, options: CallOptions): Promise<string> {
    const readable = await this.gateways.readable(options, false);
    if (this.places.all.length === 0) return OWN;
    if (route.kind === 'profile') return this.places.realmOf(id);
    if (route.parent) return this.#placeOfMedication(route.parent.medication_id, readable, options);
    return this.#foundOf(route, id) ?? (await this.#find(route, id, readable, options)).place;
  }

  async #placeOfMedication(
    id: string,
    readable: readonly SpacePlace[],
    options: CallOptions,
  ): Promise<string> {
    const known = this.#foundOf(MEDICATION, id);
    if (known !== undefined) return known;
    try {
      return (await this.#find(MEDICATION, id, readable, options)).place;
    } catch (error) {
      // A dose of a medication that nobody has: the service says so.
      if (isAnswer(error, 404)) return OWN;
      throw error;
    }
  }

  /** @throws ApiError `not_found` of the account, where no place has it */
  async #find(
    route: RecordRoute,
    id: string,
    readable: readonly SpacePlace[],
    options: CallOptions,
  ): Promise<{ place: string; record: WireRecord }> {
    const last = route.kind === 'profile' ? this.places.realmOf(id) : this.#foundOf(route, id);
    const others = [OWN, ...readable.map(({ spaceId }) => spaceId)].filter((each) => each !== last);
    let refusal: ApiError | undefined;
    for (const place of last === undefined ? others : [last, ...others]) {
      try {
        const record = await this.#of(place).get(route, id, options);
        this.#note(place, route, record);
        return { place, record };
      } catch (error) {
        if (!isAnswer(error, 404)) throw error;
        refusal ??= error;
      }
    }
    throw refusal!;
  }

  #note(place: string, route: RecordRoute, { body }: WireRecord): void {
    if (this.places.all.length === 0 || !isJsonObject(body)) return;
    const { [route.idField ?? 'id']: id } = body;
    if (typeof id === 'string') this.#found.set(`${route.kind} ${id}`, place);
  }

  #assertMayWrite(place: string, { kind }: RecordRoute, action: 'create' | 'update' | 'delete'): void {
    const space = place === OWN ? undefined : this.places.ofSpace(place);
    if (space) assertMayWrite(space, kind, action);
  }
}

/** The records of several lists, each in its order, in the order of one list. Each page has one record of each list at least. */
async function* inOneOrder(
  lists: AsyncGenerator<WireRecord[], void, undefined>[],
  { orderBy = 'created_at', idField = 'id', isOldestFirst }: RecordRoute,
): AsyncGenerator<WireRecord[], void, undefined> {
  const text = ({ body }: WireRecord, name: string) => {
    const value = isJsonObject(body) ? body[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
  const timeOf = (record: WireRecord) => Date.parse(text(record, orderBy)) || 0;
  const isBefore = (a: WireRecord, b: WireRecord) => {
    const order = timeOf(a) - timeOf(b) || (text(a, idField) < text(b, idField) ? -1 : 1);
    return isOldestFirst ? order < 0 : order > 0;
  };
  const heads = await Promise.all(lists.map((list) => nextPage(list, [])));
  for (;;) {
    const merged: WireRecord[] = [];
    // As far as all lists are known: what comes next of one may come before what another has.
    while (heads.every((head) => head.isAtEnd || head.page.length > 0)) {
      const open = heads.filter(({ page }) => page.length > 0);
      if (open.length === 0) break;
      const first = open.reduce((a, b) => (isBefore(b.page[0], a.page[0]) ? b : a));
      merged.push(first.page.shift()!);
    }
    if (merged.length > 0) yield merged;
    if (heads.every(({ isAtEnd, page }) => isAtEnd && page.length === 0)) return;
    for (const [at, head] of heads.entries()) {
      if (head.page.length === 0 && !head.isAtEnd) heads[at] = await nextPage(lists[at], head.page);
    }
  }
}

interface ListHead {
  page: WireRecord[];
  isAtEnd: boolean;
}

async function nextPage(
  list: AsyncGenerator<WireRecord[], void, undefined>,
  rest: readonly WireRecord[],
): Promise<ListHead> {
  const { value, done } = await list.next();
  return { page: [...rest, ...(value ?? [])], isAtEnd: done === true };
}
