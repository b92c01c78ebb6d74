import { type HealthRecordsClient, MemorySessionStore } from '@app/client';
import { Api } from '@app/testing';
import { aPerson, type Person } from '../../support/people';
import { type Content, Device } from './device';

/** The kinds of records that are sealed, by their names in the feed. */
export const SEALED = ['profile', 'medication', 'appointment', 'health_stat'] as const;
export type Sealed = (typeof SEALED)[number];
export type Kind = Sealed | 'dose';
/** A record as the service shows it. */
export type Wire = Record<string, any>;

export const PATHS: Record<Sealed, string> = {
  profile: '/api/profiles',
  medication: '/api/medications',
  appointment: '/api/appointments',
  health_stat: '/api/health-stats',
};

/**
 * One account with records of each kind, as honest devices see it. The subjects are what the service lies about: each has a
 * state that was replaced before.
 */
export class Family {
  readonly subjects = {} as Record<Kind, string>;
  /** The replaced states. */
  readonly older = {} as Record<Sealed, Wire>;
  readonly newest = {} as Record<Sealed, Wire>;
  /** Another record of each kind. */
  readonly others = {} as Record<Sealed, Wire>;

  #reader: Device | undefined;

  private constructor(
    readonly url: string,
    readonly person: Person,
    private readonly api: Api,
    private readonly session: MemorySessionStore,
  ) {}

  static async start(url: string): Promise<Family> {
    const session = new MemorySessionStore();
    const person = await aPerson(url, {}, { sessionStore: session });
    const family = new Family(url, person, new Api(url), session);
    const { client, profileId } = person;
    const rex = await client.profiles.create({ kind: 'pet', details: { name: 'Rex', species: 'dog' } });
    const warfarin = await client.medications.create(medication(profileId, 'Warfarin', '10 mg daily'));
    const visit = await client.appointments.create(appointment(profileId, 'Check-up'));
    const weight = await client.healthStats.create(weightOf(profileId, 80));
    const dose = await client.medications.logDose(warfarin.id, { taken: false });
    const found = { profile: rex, medication: warfarin, appointment: visit, health_stat: weight, dose };
    for (const kind of SEALED) {
      family.subjects[kind] = found[kind].id;
      family.older[kind] = await family.stored(kind, found[kind].id);
    }
    family.subjects.dose = dose.id;
    await client.profiles.update(rex, { details: { allergies: [{ text: 'PENICILLIN: anaphylaxis' }] } });
    await client.medications.update(warfarin, { details: { instructions: '10 mg weekly' } });
    await client.appointments.update(visit, { details: { location: 'Room 7' } });
    await client.healthStats.update(weight, { details: { values: { value: 81 } } });
    const ibuprofen = await client.medications.create(medication(profileId, 'Ibuprofen', 'as needed'));
    const dentist = await client.appointments.create(appointment(profileId, 'Dentist'));
    const later = await client.healthStats.create(weightOf(profileId, 79));
    const others = {
      medication: ibuprofen.id,
      appointment: dentist.id,
      health_stat: later.id,
      profile: profileId,
    };
    for (const kind of SEALED) family.others[kind] = await family.stored(kind, others[kind]);
    await family.look();
    return family;
  }

  /** The client that wrote all of it. It has no cache, and hears no lies. */
  get honest(): HealthRecordsClient {
    return this.person.client;
  }

  /** The state that the service holds. */
  async stored(kind: Sealed, id = this.subjects[kind]): Promise<Wire> {
    return (await this.api.get(`${PATHS[kind]}/${id}`, { token: this.session.read()!.accessToken })).body;
  }

  /** What an honest service shows to another device. */
  async truth(): Promise<Content> {
    this.#reader ??= await this.device(false);
    const content = await this.#reader.content();
    if (this.#reader.told.size > 0) throw new Error([...this.#reader.told].join());
    await this.look();
    return content;
  }

  /** Reads what the service holds now. */
  async look(): Promise<void> {
    for (const kind of SEALED) this.newest[kind] = await this.stored(kind);
  }

  /** A device of the person that has read everything. */
  async device(hasCache: boolean): Promise<Device> {
    const device = new Device(this.url, this.person, hasCache);
    await device.signIn();
    return device;
  }
}

export const medication = (profileId: string, name: string, instructions: string) => ({
  profileId,
  route: 'oral',
  schedule: { timesPerDay: 2 },
  details: { name, instructions },
});
export const appointment = (profileId: string, title: string) => ({
  profileId,
  status: 'scheduled',
  details: { title, startsAt: '2026-12-01T09:30:00Z' },
});
export const weightOf = (profileId: string, value: number) => ({
  profileId,
  recordedAt: '2026-11-20T08:00:00Z',
  details: { metric: 'weight', values: { value }, unit: 'kg' },
});
