import { aBlob, type Api } from '@app/testing';

export { aBlob, aCiphertext, type Account, anAccount, anEmail, aProfile, aRegistration } from '@app/testing';

/** Creates something and returns its record; fails loudly where the service refuses. */
async function created(api: Api, path: string, body: object, token: string): Promise<Record<string, any>> {
  const answer = await api.post(path, body, { token });
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

export function aMedication(api: Api, token: string, profileId: string, overrides: object = {}) {
  const body = { profile_id: profileId, route: 'oral', encrypted_data: aBlob(), ...overrides };
  return created(api, '/api/medications', body, token);
}

export function anAppointment(api: Api, token: string, profileId: string, overrides: object = {}) {
  const body = { profile_id: profileId, status: 'scheduled', encrypted_data: aBlob(), ...overrides };
  return created(api, '/api/appointments', body, token);
}

export function aHealthStat(api: Api, token: string, profileId: string, overrides: object = {}) {
  const body = {
    profile_id: profileId,
    encrypted_data: aBlob(),
    recorded_at: '2026-11-20T08:00:00Z',
    ...overrides,
  };
  return created(api, '/api/health-stats', body, token);
}

export function aDose(api: Api, token: string, medicationId: string, overrides: object = {}) {
  return created(api, `/api/medications/${medicationId}/log`, { taken: true, ...overrides }, token);
}
