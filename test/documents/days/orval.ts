import * as api from '../generated/orval';
import { blob, registration, tell, text } from './day';
import { signIn } from './orval-send';

/** The data of an answer with the expected status. @throws Error with another answer. */
function expected<A extends { status: number; data: unknown }, S extends A['status']>(
  answer: A,
  status: S,
): Extract<A, { status: S }>['data'] {
  if (answer.status !== status) throw new Error(JSON.stringify(answer));
  return answer.data;
}

signIn(expected(await api.authRegister(registration), 201).token);
const { profile_id } = expected(
  await api.profilesCreate({ wrapped_profile_dek: text, name_data: blob }),
  201,
);
const medication = expected(
  await api.medicationsCreate(
    { profile_id, route: 'oral', encrypted_data: blob, dose_schedule: { times_per_day: 1 } },
    { headers: { 'Idempotency-Key': 'one-tap' } },
  ),
  201,
);
const other = expected(
  await api.medicationsCreate({ profile_id, route: 'nasal', encrypted_data: text }),
  201,
);
expected(await api.dosesLogDose(medication.id, { taken: true }), 201);
const adherence = expected(await api.dosesAdherence(medication.id), 200);
const appointment = expected(
  await api.appointmentsCreate({ profile_id, status: 'scheduled', encrypted_data: blob }),
  201,
);
expected(await api.healthStatsCreate({ profile_id, encrypted_data: text }), 201);
const measurements = expected(await api.healthStatsList({ profile_id }), 200);
const findings = expected(await api.interactionsCheck({ medications: ['warfarin', 'ibuprofen'] }), 200);
expected(await api.medicationsDelete(other.id), 204);
const left = expected(await api.medicationsList(), 200);
const refusal = expected(await api.medicationsGet(other.id), 404);

tell({
  blobs: [medication.encrypted_data, other.encrypted_data],
  adherence: adherence.since_start.taken_doses,
  status: appointment.status,
  measurements: measurements.length,
  findings: findings.map(({ severity }) => severity),
  left: left.length,
  refusal: refusal.code,
});
