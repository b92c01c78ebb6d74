import { requireId } from '../ids';
import { collect, EncryptedCollection, requireText, type CollectionDefinition } from './encrypted-collection';
import type { Appointment, AppointmentDetails, AppointmentMeta, ListOptions } from './record-types';
import type { ServiceConnection } from './service-connection';

/** The statuses that this library uses; the service accepts any text. */
export const APPOINTMENT_STATUSES = ['scheduled', 'completed', 'cancelled', 'missed'] as const;

/** The filters of a list. */
export interface AppointmentFilter {
  profileId?: string;
  status?: string;
}

const definition: CollectionDefinition<AppointmentDetails, AppointmentMeta> = {
  kind: 'appointment',
  route: { kind: 'appointment', path: '/api/appointments', updateMethod: 'POST', deleteMethod: 'POST' },
  readMeta: (reader) => ({ status: reader.text('status') }),
  writeMeta: ({ status }) => ({ status }),
  checkDetails: (details) => {
    requireText(details.title, 'The title of an appointment');
    requireText(details.startsAt, 'The start of an appointment', 64);
  },
};

/** Appointments. Their time is encrypted, so the device must sort and filter by it. */
export class Appointments extends EncryptedCollection<AppointmentDetails, AppointmentMeta> {
  constructor(connection: ServiceConnection) {
    super(connection, definition);
  }

  /**
   * Newest first by creation. Pages are fetched during the iteration. A list by status is not checked for
   * completeness.
   */
  iterate(
    filter: AppointmentFilter = {},
    options: ListOptions = {},
  ): AsyncGenerator<Appointment, void, undefined> {
    const profileId = filter.profileId && requireId(filter.profileId, 'The profile id');
    // Another device may have changed the status of a record, so its absence proves nothing.
    const matches =
      filter.status === undefined
        ? ({ parent }: { parent: string }) => !profileId || parent === profileId
        : undefined;
    return this.listWith({ profile_id: profileId, status: filter.status }, matches, options);
  }

  /** All appointments in one array, newest first by creation; empty when there are none. */
  list(filter: AppointmentFilter = {}, options: ListOptions = {}): Promise<Appointment[]> {
    return collect(this.iterate(filter, options));
  }
}
