import { ObjectReader } from '../http/object-reader';
import type { Adherence, Dose } from './record-types';

/** @throws ProtocolError */
export function readDose(body: unknown): Dose {
  const reader = new ObjectReader(body, 'dose');
  return {
    id: reader.id('id'),
    medicationId: reader.id('medication_id'),
    taken: reader.boolean('taken'),
    loggedAt: reader.timestamp('loggedAt'),
    createdAt: reader.timestamp('created_at'),
  };
}

/** @throws ProtocolError */
export function readAdherence(body: unknown): Adherence {
  const reader = new ObjectReader(body, 'adherence');
  const count = (name: string) => reader.integer(name);
  const rate = (name: string) => reader.number(name);
  const since = reader.nullable('since_start', (name) => reader.object(name));
  return {
    medicationId: reader.id('medication_id'),
    periodDays: reader.integer('period_days', 1),
    periodStart: reader.text('period_start'),
    periodEnd: reader.text('period_end'),
    timezone: reader.text('timezone'),
    takenDoses: count('taken_doses'),
    skippedDoses: count('skipped_doses'),
    totalLogged: count('total_logged'),
    scheduledDoses: reader.nullable('scheduled_doses', count),
    missedDoses: reader.nullable('missed_doses', count),
    extraDoses: reader.nullable('extra_doses', count),
    adherenceRate: reader.nullable('adherence_rate', rate),
    sinceStart: since && {
      start: since.text('start'),
      scheduledDoses: since.nullable('scheduled_doses', (name) => since.integer(name)),
      takenDoses: since.integer('taken_doses'),
      adherenceRate: since.nullable('adherence_rate', (name) => since.number(name)),
    },
  };
}
