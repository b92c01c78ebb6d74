import { HEALTH_STAT, STORED_HEALTH_STAT } from '../documents/schemas/health-stat';
import { InvalidArgumentError } from '../errors';
import { requireId } from '../ids';
import { deviceTimeZone, requireKnownMembers, toInstant, type NamesOf } from '../inputs';
import { computeTrend, type Trend } from '../trends/trend';
import type { CollectionDefinition, NewRecord, RecordChanges } from './collection-definition';
import { collect, EncryptedCollection } from './encrypted-collection';
import type { CallOptions, HealthStat, HealthStatDetails, HealthStatMeta, ListOptions } from './record-types';
import type { ServiceConnection } from './service-connection';

/** The filters of a list. Both times are inclusive. */
export interface HealthStatFilter {
  profileId?: string;
  recordedFrom?: Date | string;
  recordedTo?: Date | string;
}

/** The series of readings for a trend, and the parameters of its computation. */
export interface TrendQuery {
  profileId: string;
  metric: string;
  /** A member of `values`; default `value`. */
  component?: string;
  recordedFrom?: Date | string;
  recordedTo?: Date | string;
  /** IANA name; default the time zone of the device. */
  timeZone?: string;
  /** The number of calendar dates in the moving average; default 7. */
  window?: number;
}

const TREND_QUERY: NamesOf<TrendQuery> = {
  profileId: true,
  metric: true,
  component: true,
  recordedFrom: true,
  recordedTo: true,
  timeZone: true,
  window: true,
};

/** Whether a time lies in the period of a filter. */
function periodOf({ recordedFrom, recordedTo }: HealthStatFilter): (atMs: number) => boolean {
  const from = recordedFrom === undefined ? -Infinity : new Date(recordedFrom).getTime();
  const to = recordedTo === undefined ? Infinity : new Date(recordedTo).getTime();
  return (atMs) => atMs >= from && atMs <= to;
}

// A value of one change with the unit of another would be a reading that nobody took.
export const unitOfReading = (field: string) =>
  ['profileId', 'details.note'].includes(field) ? '' : 'reading';

const definition: CollectionDefinition<HealthStatDetails, HealthStatMeta> = {
  kind: 'health-stat',
  route: {
    kind: 'health_stat',
    path: '/api/health-stats',
    orderBy: 'recorded_at',
    updateMethod: 'PUT',
    deleteMethod: 'DELETE',
  },
  readMeta: (reader) => ({ recordedAt: reader.timestamp('recorded_at') }),
  // Always the form that the service returns, so that it can be compared with the encrypted copy.
  writeMeta: ({ recordedAt }) => ({ recorded_at: toInstant(recordedAt, 'The time of a reading') }),
  inputs: { recordedAt: true },
  isUnlisted: true,
  unitOf: unitOfReading,
  stored: STORED_HEALTH_STAT,
  details: HEALTH_STAT,
  timeOf: (meta) => meta.recordedAt,
};

/** Health statistics, and trends computed from them on the device. */
export class HealthStats extends EncryptedCollection<HealthStatDetails, HealthStatMeta> {
  constructor(connection: ServiceConnection) {
    super(connection, definition);
  }

  /** As for every record; `recordedAt` defaults to the current time. */
  override async create(
    record: Omit<NewRecord<HealthStatDetails, HealthStatMeta>, 'recordedAt'> & { recordedAt?: Date | string },
    options: CallOptions = {},
  ): Promise<HealthStat> {
    // The client sets the time, because it is encrypted with the reading.
    const recordedAt = toInstant(record.recordedAt ?? new Date(), 'The time of a reading');
    return super.create({ ...record, recordedAt }, options);
  }

  /** As for every record. */
  override async update(
    current: HealthStat,
    changes: Omit<RecordChanges<HealthStatDetails, HealthStatMeta>, 'recordedAt'> & {
      recordedAt?: Date | string;
    },
    options: CallOptions = {},
  ): Promise<HealthStat> {
    const { recordedAt, ...rest } = changes;
    if (recordedAt === undefined) return super.update(current, rest, options);
    return super.update(
      current,
      { ...rest, recordedAt: toInstant(recordedAt, 'The time of a reading') },
      options,
    );
  }

  /** Newest first by time of recording. Pages are fetched during the iteration. */
  iterate(
    filter: HealthStatFilter = {},
    options: ListOptions = {},
  ): AsyncGenerator<HealthStat, void, undefined> {
    requireKnownMembers(filter, { profileId: true, recordedFrom: true, recordedTo: true }, 'The filter');
    const profileId = filter.profileId && requireId(filter.profileId, 'The profile id');
    const from = filter.recordedFrom === undefined ? undefined : toInstant(filter.recordedFrom, 'The start');
    const to = filter.recordedTo === undefined ? undefined : toInstant(filter.recordedTo, 'The end');
    const isWithin = periodOf(filter);
    return this.listWith(
      { profile_id: profileId, recorded_from: from, recorded_to: to },
      // Where the time is not known, only a list of all times must show the reading.
      ({ parent, atMs = NaN }) =>
        (!profileId || parent === profileId) && ((from ?? to) === undefined || isWithin(atMs)),
      options,
    );
  }

  /** All health statistics in one array, newest first by time of recording; empty when there are none. */
  async list(filter: HealthStatFilter = {}, options: ListOptions = {}): Promise<HealthStat[]> {
    return collect(this.iterate(filter, options));
  }

  /**
   * The trend of one series of one profile, by the sealed times. `altered` names the readings whose time on the
   * service is another one.
   * @throws InvalidArgumentError when the readings have different units; all errors of `computeTrend` and
   * `list`.
   */
  async trend(
    query: TrendQuery,
    options: ListOptions = {},
  ): Promise<Trend & { unit: string | null; altered: string[] }> {
    requireKnownMembers(query, TREND_QUERY, 'The query');
    const { profileId, metric, component = 'value', recordedFrom, recordedTo, window } = query;
    const filter = {
      profileId,
      ...(recordedFrom ? { recordedFrom } : {}),
      ...(recordedTo ? { recordedTo } : {}),
    };
    const isWithin = periodOf(filter);
    const units = new Set<string>();
    const altered: string[] = [];
    const readings: { at: string; value: number }[] = [];
    for await (const stat of this.iterate(filter, options)) {
      const { details, recordedAt } = stat;
      const value = details.metric === metric ? details.values?.[component] : undefined;
      if (value === undefined) continue;
      if (stat.altered.length > 0) altered.push(stat.id);
      // The service chose by the time that it stores; the sealed one decides.
      if (!isWithin(Date.parse(recordedAt))) continue;
      units.add(details.unit);
      readings.push({ at: recordedAt, value });
    }
    if (units.size > 1) {
      throw new InvalidArgumentError(`The readings have different units: ${[...units].sort().join(', ')}.`);
    }
    const timeZone = query.timeZone ?? deviceTimeZone();
    const trend = computeTrend(readings, { timeZone, ...(window === undefined ? {} : { window }) });
    return { ...trend, unit: [...units][0] ?? null, altered };
  }
}
