import { ObjectReader } from '../http/object-reader';
import type { Adherence, Dose } from './record-types';

/** @throws ProtocolError */
export function readDose(body: unknown): Omit<Dose, 'confirmed'> {
  const reader = new ObjectReader(body, 'dose');
  return {
    id: reader.id('id'),
    medicationId: reader.id('medication_id'),
    taken: reader.boolean('taken'),
    loggedAt: reader.timestamp('loggedAt'),
    proof: readProof(reader),
    createdAt: reader.timestamp('created_at'),
  };
}

/** A service before proofs leaves the member out, and so does a row that such a service gave this device. */
function readProof(reader: ObjectReader): string | null {
  if (reader.raw('proof') === undefined) return null;
  return reader.nullable('proof', (name) => reader.text(name));
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
