import { requireId } from '../ids';
import { collect, EncryptedCollection, requireText, type CollectionDefinition } from './encrypted-collection';
import type { Appointment, AppointmentDetails, AppointmentMeta, ListOptions } from './record-types';
import type { ServiceConnection } from './service-connection';

/** Statuses of this library; the service takes any text. */
export const APPOINTMENT_STATUSES = ['scheduled', 'completed', 'cancelled', 'missed'] as const;

/** What a list can be narrowed to. */
export interface AppointmentFilter {
  profileId?: string;
  status?: string;
}

const definition: CollectionDefinition<AppointmentDetails, AppointmentMeta> = {
  kind: 'appointment',
  path: '/api/appointments',
  updateMethod: 'POST',
  deleteMethod: 'POST',
  readMeta: (reader) => ({ status: reader.text('status') }),
  writeMeta: ({ status }) => ({ status }),
  checkDetails: (details) => {
    requireText(details.title, 'The title of an appointment');
    requireText(details.startsAt, 'The start of an appointment', 64);
  },
};

/** Appointments. Their time is encrypted, so that the device sorts and filters by it. */
export class Appointments extends EncryptedCollection<AppointmentDetails, AppointmentMeta> {
  constructor(connection: ServiceConnection) {
    super(connection, definition);
  }

  /** Newest first by creation, fetched as they are consumed. A list by status is not checked for being whole. */
  iterate(
    filter: AppointmentFilter = {},
    options: ListOptions = {},
  ): AsyncGenerator<Appointment, void, undefined> {
    const profileId = filter.profileId && requireId(filter.profileId, 'The profile id');
    // The status of a record may have changed on another device, so that its absence says nothing.
    const matches =
      filter.status === undefined
        ? ({ parent }: { parent: string }) => !profileId || parent === profileId
        : undefined;
    return this.listWith({ profile_id: profileId, status: filter.status }, matches, options);
  }

  /** All at once, newest first by creation; empty when there are none. */
  list(filter: AppointmentFilter = {}, options: ListOptions = {}): Promise<Appointment[]> {
    return collect(this.iterate(filter, options));
  }
}
