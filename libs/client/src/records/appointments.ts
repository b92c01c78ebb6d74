import { APPOINTMENT, STORED_APPOINTMENT } from '../documents/schemas/appointment';
import { InvalidArgumentError } from '../errors';
import { requireId } from '../ids';
import { requireKnownMembers, toOffsetTime } from '../inputs';
import type { Json } from '../json';
import type { CollectionDefinition, NewRecord, RecordChanges } from './collection-definition';
import { collect, EncryptedCollection } from './encrypted-collection';
import type {
  Appointment,
  AppointmentDetails,
  AppointmentMeta,
  CallOptions,
  ListOptions,
} from './record-types';
import type { ServiceConnection } from './service-connection';

/** The statuses that this library uses; the service accepts any text. */
export const APPOINTMENT_STATUSES = ['scheduled', 'completed', 'cancelled', 'missed'] as const;

const STATUSES = new Set<string>(APPOINTMENT_STATUSES);

/** Details as input: the start may be a `Date`. A text keeps its offset. */
export interface AppointmentInput {
  title: string;
  startsAt: Date | string;
  durationMinutes?: number;
  location?: string;
  practitioner?: string;
  notes?: string;
  [member: string]: Json | Date | undefined;
}

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
  inputs: { status: true },
  stored: STORED_APPOINTMENT,
  details: APPOINTMENT,
  checkMeta: ({ status }) => {
    if (status !== undefined && !STATUSES.has(status)) {
      throw new InvalidArgumentError(`The status must be one of ${[...STATUSES].join(', ')}.`);
    }
  },
};

/** Appointments. Their time is encrypted, so the device must sort and filter by it. */
export class Appointments extends EncryptedCollection<AppointmentDetails, AppointmentMeta> {
  constructor(connection: ServiceConnection) {
    super(connection, definition);
  }

  /** As for every record. `status` must be one of `APPOINTMENT_STATUSES`. */
  override async create(
    record: Omit<NewRecord<AppointmentDetails, AppointmentMeta>, 'details'> & { details: AppointmentInput },
    options: CallOptions = {},
  ): Promise<Appointment> {
    return super.create({ ...record, details: withStart(record.details) as AppointmentDetails }, options);
  }

  /** As for every record. */
  override async update(
    current: Appointment,
    changes: Omit<RecordChanges<AppointmentDetails, AppointmentMeta>, 'details'> & {
      details?: Partial<AppointmentInput>;
    },
    options: CallOptions = {},
  ): Promise<Appointment> {
    const { details, ...rest } = changes;
    return super.update(current, { ...rest, ...(details && { details: withStart(details) }) }, options);
  }

  /**
   * Newest first by creation. Pages are fetched during the iteration. A list by status is not checked for
   * completeness.
   */
  iterate(
    filter: AppointmentFilter = {},
    options: ListOptions = {},
  ): AsyncGenerator<Appointment, void, undefined> {
    requireKnownMembers(filter, { profileId: true, status: true }, 'The filter');
    const profileId = filter.profileId && requireId(filter.profileId, 'The profile id');
    // Another device may have changed the status of a record, so its absence proves nothing.
    const matches =
      filter.status === undefined
        ? ({ parent }: { parent: string }) => !profileId || parent === profileId
        : undefined;
    return this.listWith({ profile_id: profileId, status: filter.status }, matches, options);
  }

  /** All appointments in one array, newest first by creation; empty when there are none. */
  async list(filter: AppointmentFilter = {}, options: ListOptions = {}): Promise<Appointment[]> {
    return collect(this.iterate(filter, options));
  }
}

/** The details with their start as text. @throws InvalidArgumentError */
function withStart(details: Partial<AppointmentInput>): Partial<AppointmentDetails> {
  if (details?.startsAt === undefined) return details as Partial<AppointmentDetails>;
  return { ...details, startsAt: toOffsetTime(details.startsAt, 'The start of an appointment') };
}
