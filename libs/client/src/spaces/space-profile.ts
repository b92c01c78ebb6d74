import type { KeyRing } from '../account/key-ring';
import type { Lineage } from '../crypto/lineage';
import type { ProfileKey } from '../crypto/profile-key';
import { decryptRecord } from '../crypto/record-cipher';
import { IntegrityError, isAnswer, RolledBackError } from '../errors';
import { ObjectReader } from '../http/object-reader';
import type { SessionTransport } from '../http/session-transport';
import { isJsonObject, type JsonObject } from '../json';
import { signalOf } from '../records/encrypted-collection';
import { HttpRecordGateway } from '../records/http-record-gateway';
import { tagOf, type RecordRoute } from '../records/record-gateway';
import type { CallOptions } from '../records/record-types';
import { FORMER_KEYS } from '../records/sealed-profile';
import { sealRecord, type SealedContent } from '../records/sealed-record';
import type { ServiceConnection } from '../records/service-connection';

/** The member of a profile's sealed content that names the members. */
const PEOPLE = 'people';
const ATTEMPTS = 5;
const ROUTE: RecordRoute = {
  kind: 'profile',
  path: '/api/profiles',
  idField: 'profile_id',
  updateMethod: 'PUT',
  deleteMethod: 'DELETE',
};

/** Where the profile of a space is read and written. */
export interface ProfilePlace {
  id: string;
  profileId: string;
  version: number;
}

/** A profile of a space, opened at its place. */
export interface OpenSpaceProfile {
  content: JsonObject & SealedContent;
  lineage: Lineage;
  revision: number;
  epoch?: string;
}

/** The sealed content of the profile of a space, read and written at the service itself. */
export class SpaceProfiles {
  constructor(
    private readonly transport: SessionTransport,
    private readonly connection: ServiceConnection,
    private readonly keys: KeyRing,
  ) {}

  /** @throws IntegrityError `tampered`, `rolled_back`; ApiError */
  async read({ id, profileId }: ProfilePlace, options: CallOptions): Promise<OpenSpaceProfile> {
    const { heads, ledger } = this.connection;
    const mark = ledger.mark();
    const { body, epoch } = await this.#gateway(id).get(ROUTE, profileId, options);
    const reader = new ObjectReader(body, 'profile');
    const wire = { ciphertext: reader.text('name_data'), iv: reader.text('name_iv') };
    const { content, lineage } = await decryptRecord(wire, this.#keyOf(profileId), placeOf(profileId));
    if (!isJsonObject(content.details) || !isJsonObject(content.meta)) throw noProfile(profileId);
    await heads.learn(profileId, this.#keyOf(profileId), content);
    if (heads.isOlder(profileId, profileId, lineage.generation, mark))
      throw new RolledBackError({ kind: 'profile', id: profileId }, undefined);
    const revision = reader.integer('revision', 1);
    const opened = content as JsonObject & SealedContent;
    return { content: opened, lineage, revision, ...(epoch !== undefined && { epoch }) };
  }

  /** The names by which the members call themselves, by account. */
  async people(place: ProfilePlace, options: CallOptions): Promise<Record<string, string>> {
    return peopleOf((await this.read(place, options)).content);
  }

  /** Says what a member calls itself. Where another device was faster, on top of its change. */
  async name(place: ProfilePlace, accountId: string, name: string, options: CallOptions): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const current = await this.read(place, options);
      const people = peopleOf(current.content);
      if (people[accountId] === name) return;
      const content = { ...current.content, [PEOPLE]: { ...people, [accountId]: name } };
      const sealed = await this.seal(place.profileId, content, this.#keyOf(place.profileId), current.lineage);
      const { kind, relationship } = content.meta;
      try {
        const condition = { ifMatch: tagOf(current), ...signalOf(options) };
        const gateway = this.#gateway(`${place.id};${place.version}`);
        await gateway.update(ROUTE, place.profileId, { kind, relationship, ...sealed }, condition);
        return;
      } catch (error) {
        if (!isAnswer(error, 412) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** The next state of a profile, with what is known of its records and of who writes it. */
  async seal(
    profileId: string,
    content: JsonObject & SealedContent,
    key: ProfileKey,
    ...lineage: Lineage[]
  ): Promise<{ name_data: string; name_iv: string }> {
    const { heads } = this.connection;
    const { head, present, proven } = heads.encode(profileId);
    const next = {
      ...content,
      meta: { ...content.meta, by: this.connection.accountId() },
      head,
      present,
      ...(proven !== undefined && { proven }),
    };
    const sealed = await sealRecord(
      next,
      key,
      placeOf(profileId),
      heads.next(profileId, profileId, ...lineage),
    );
    return { name_data: sealed.ciphertext, name_iv: sealed.iv };
  }

  #keyOf(profileId: string) {
    const key = this.keys.profileKey(profileId);
    if (!key) throw noProfile(profileId);
    return key;
  }

  #gateway(space: string): HttpRecordGateway {
    return new HttpRecordGateway(this.connection.baseUrl, (request) =>
      this.transport.send({ ...request, space }),
    );
  }
}

export function formerKeysIn(content: JsonObject): unknown {
  return content[FORMER_KEYS];
}

function peopleOf(content: JsonObject): Record<string, string> {
  const people = content[PEOPLE];
  const entries = isJsonObject(people) ? Object.entries(people) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function placeOf(profileId: string) {
  return { profileId, kind: 'profile', recordId: profileId };
}

function noProfile(id: string): IntegrityError {
  return new IntegrityError('tampered', 'The profile of a space does not open.', { kind: 'profile', id });
}
