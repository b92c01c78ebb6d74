import createClient from 'openapi-fetch';
import type { paths } from '../generated/openapi-typescript';
import { baseUrl, blob, dataOf, registration, tell, text } from './day';

const client = createClient<paths>({ baseUrl });
const { token } = dataOf(await client.POST('/api/auth/register', { body: registration }));
client.use({
  onRequest({ request }) {
    request.headers.set('Authorization', `Bearer ${token}`);
  },
});

const body = { wrapped_profile_dek: text, name_data: blob };
const { profile_id } = dataOf(await client.POST('/api/profiles', { body }));
const medication = dataOf(
  await client.POST('/api/medications', {
    body: { profile_id, route: 'oral', encrypted_data: blob, dose_schedule: { times_per_day: 1 } },
    params: { header: { 'Idempotency-Key': 'one-tap' } },
  }),
);
const path = { id: medication.id };
const other = dataOf(
  await client.POST('/api/medications', { body: { profile_id, route: 'nasal', encrypted_data: text } }),
);
dataOf(await client.POST('/api/medications/{id}/log', { params: { path }, body: { taken: true } }));
const adherence = dataOf(await client.GET('/api/medications/{id}/adherence', { params: { path } }));
const appointment = dataOf(
  await client.POST('/api/appointments', { body: { profile_id, status: 'scheduled', encrypted_data: blob } }),
);
dataOf(await client.POST('/api/health-stats', { body: { profile_id, encrypted_data: text } }));
const measurements = dataOf(await client.GET('/api/health-stats', { params: { query: { profile_id } } }));
const findings = dataOf(
  await client.POST('/api/interactions/check', { body: { medications: ['warfarin', 'ibuprofen'] } }),
);
await client.POST('/api/medications/{id}/delete', { params: { path: { id: other.id } } });
const left = dataOf(await client.GET('/api/medications'));
const { error } = await client.GET('/api/medications/{id}', { params: { path: { id: other.id } } });

tell({
  blobs: [medication.encrypted_data, other.encrypted_data],
  adherence: adherence.since_start.taken_doses,
  status: appointment.status,
  measurements: measurements.length,
  findings: findings.map(({ severity }) => severity),
  left: left.length,
  refusal: error?.code ?? 'none',
});
