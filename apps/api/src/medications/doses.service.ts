import { Injectable } from '@nestjs/common';
import {
  type Caller,
  Clock,
  type Created,
  type IdempotencyKeyDigest,
  invalidField,
  type Page,
} from '@app/common';
import { type Executor, Syncs, type SyncSource } from '@app/database';
import { type ListQuery, toListRequest } from '@app/http';
import { type AdherenceFacts, type DoseSchedule, readDoseSchedule } from '@app/common/adherence';
import { periodEndingAt } from './adherence.rule';
import { DoseEntity } from './entities/dose.entity';
import { DosesRepository } from './doses.repository';
import { type AdherenceResponse, toAdherenceResponse } from './dto/adherence.response';
import { type DoseResponse, toDoseResponse } from './dto/dose.response';
import type { LogDoseRequest } from './dto/log-dose.request';
import { MedicationsRepository } from './medications.repository';

/** Clocks of devices differ a little, so a small difference is allowed. A dose of next week is a mistake. */
const MAX_AHEAD_MS = 5 * 60 * 1000;

@Injectable()
@Syncs(DoseEntity)
export class DosesService implements SyncSource {
  constructor(
    private readonly doses: DosesRepository,
    private readonly medications: MedicationsRepository,
    private readonly clock: Clock,
  ) {}

  async logDose(
    caller: Caller,
    medicationId: string,
    dose: LogDoseRequest,
    requestKey?: IdempotencyKeyDigest,
  ): Promise<Created<DoseResponse>> {
    const now = this.clock.now();
    const loggedAt = dose.loggedAt ?? now.toISOString();
    if (Date.parse(loggedAt) > now.getTime() + MAX_AHEAD_MS) {
      throw invalidField('loggedAt', 'loggedAt must not be in the future');
    }
    const { id, taken, proof = null } = dose;
    const row = { id, medication_id: medicationId, taken, logged_at: loggedAt, proof };
    return (await this.doses.insert(caller, row, requestKey)).map(toDoseResponse);
  }

  async list(caller: Caller, medicationId: string, query: ListQuery): Promise<Page<DoseResponse>> {
    const request = toListRequest(query, { medication_id: medicationId });
    return (await this.doses.list(caller, request)).map(toDoseResponse);
  }

  async delete(caller: Caller, medicationId: string, id: string): Promise<void> {
    await this.doses.delete(caller, id, undefined, medicationId);
  }

  async adherence(caller: Caller, medicationId: string, timezone = 'UTC'): Promise<AdherenceResponse> {
    const period = periodEndingAt(this.clock.now(), timezone);
    const row = await this.medications.adherence(caller, medicationId, period);
    const facts: AdherenceFacts = {
      period,
      schedule: storedSchedule(row.dose_schedule),
      logged: { taken: row.taken, skipped: row.skipped },
      startDay: row.start_day,
      loggedSinceStart: { taken: row.taken_since_start, skipped: row.skipped_since_start },
    };
    return toAdherenceResponse(row.id, facts);
  }

  async findByIds(caller: Caller, ids: string[], snapshot: Executor): Promise<Map<string, object>> {
    return this.doses.findByIds(caller, ids, snapshot, toDoseResponse);
  }
}

/** The schedule was validated when it was stored. */
function storedSchedule(text: string | null): DoseSchedule | undefined {
  return text === null ? undefined : (readDoseSchedule(JSON.parse(text)) as DoseSchedule);
}
