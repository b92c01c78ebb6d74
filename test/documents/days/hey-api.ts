import * as api from '../generated/hey-api';
import { client } from '../generated/hey-api/client.gen';
import { baseUrl, blob, dataOf, registration, tell, text } from './day';

client.setConfig({ baseUrl });
const { token } = dataOf(await api.authRegister({ body: registration }));
client.setConfig({ baseUrl, auth: token });

const body = { wrapped_profile_dek: text, name_data: blob };
const { profile_id } = dataOf(await api.profilesCreate({ body }));
const medication = dataOf(
  await api.medicationsCreate({
    body: { profile_id, route: 'oral', encrypted_data: blob, dose_schedule: { times_per_day: 1 } },
    headers: { 'Idempotency-Key': 'one-tap' },
  }),
);
const path = { id: medication.id };
const other = dataOf(
  await api.medicationsCreate({ body: { profile_id, route: 'nasal', encrypted_data: text } }),
);
dataOf(await api.dosesLogDose({ path, body: { taken: true } }));
const adherence = dataOf(await api.dosesAdherence({ path }));
const appointment = dataOf(
  await api.appointmentsCreate({ body: { profile_id, status: 'scheduled', encrypted_data: blob } }),
);
dataOf(await api.healthStatsCreate({ body: { profile_id, encrypted_data: text } }));
const measurements = dataOf(await api.healthStatsList({ query: { profile_id } }));
const findings = dataOf(await api.interactionsCheck({ body: { medications: ['warfarin', 'ibuprofen'] } }));
await api.medicationsDelete({ path: { id: other.id } });
const left = dataOf(await api.medicationsList());
const { error } = await api.medicationsGet({ path: { id: other.id } });

tell({
  blobs: [medication.encrypted_data, other.encrypted_data],
  adherence: adherence.since_start.taken_doses,
  status: appointment.status,
  measurements: measurements.length,
  findings: findings.map(({ severity }) => severity),
  left: left.length,
  refusal: error?.code ?? 'none',
});
