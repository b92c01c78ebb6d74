import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { aNewPasskey } from './authenticator';
import { aBlob, aCiphertext } from './factories';
import { aSpace, idOfAccount, invite } from './spaces';
import type { OtherRecord, KindUnderTest, Registry } from './record-kind';

const aBlobChange = () => ({ encrypted_data: aBlob() });

/**
 * The kinds of records of the service itself. A new kind needs one entry here and no other change of a test.
 */
export const SERVICE_KINDS: readonly KindUnderTest[] = [
  {
    name: 'profile',
    collection: '/api/profiles',
    item: '/api/profiles/{id}',
    idField: 'profile_id',
    body: () => ({ wrapped_profile_dek: aCiphertext() }),
    update: { method: 'PUT', change: () => ({ relationship: aCiphertext(6) }), mayBeEmpty: true },
    deleteWith: 'DELETE',
    table: 'profiles',
    orderColumn: 'created_at',
    oldestFirst: true,
    blobField: 'name_data',
    blobMayBeEmpty: true,
    countedColumns: [
      'kind',
      'relationship',
      'wrapped_profile_dek',
      'wrapped_profile_dek_iv',
      'name_data',
      'name_iv',
    ],
  },
  {
    name: 'medication',
    collection: '/api/medications',
    item: '/api/medications/{id}',
    under: 'profile',
    body: ({ profileId }) => ({ profile_id: profileId, route: 'oral', encrypted_data: aBlob() }),
    update: { method: 'POST', change: aBlobChange },
    deleteWith: 'POST',
    table: 'medications',
    orderColumn: 'created_at',
    blobField: 'encrypted_data',
    countedColumns: ['encrypted_data', 'route', 'dose_schedule'],
  },
  {
    name: 'dose',
    collection: '/api/medications/{id}/log',
    item: '/api/medications/{id}/log/{dose_id}',
    under: 'medication',
    parentField: 'medication_id',
    body: () => ({ taken: true, loggedAt: '2024-05-01T08:00:00Z', proof: 'cHJvb2Y=' }),
    deleteWith: 'POST',
    table: 'doses',
    orderColumn: 'logged_at',
    orderField: 'loggedAt',
    countedColumns: ['proof'],
    inSpaces: { create: 'carer', delete: 'carer' },
  },
  {
    name: 'appointment',
    collection: '/api/appointments',
    item: '/api/appointments/{id}',
    under: 'profile',
    body: ({ profileId }) => ({ profile_id: profileId, status: 'scheduled', encrypted_data: aBlob() }),
    update: { method: 'POST', change: aBlobChange },
    deleteWith: 'POST',
    table: 'appointments',
    orderColumn: 'created_at',
    blobField: 'encrypted_data',
    countedColumns: ['encrypted_data', 'status'],
  },
  {
    name: 'health statistic',
    collection: '/api/health-stats',
    item: '/api/health-stats/{id}',
    under: 'profile',
    body: ({ profileId }) => ({
      profile_id: profileId,
      encrypted_data: aBlob(),
      recorded_at: '2024-05-01T08:00:00Z',
    }),
    update: { method: 'PUT', change: aBlobChange },
    deleteWith: 'DELETE',
    table: 'health_stats',
    orderColumn: 'recorded_at',
    blobField: 'encrypted_data',
    countedColumns: ['encrypted_data'],
    inSpaces: { create: 'carer', update: 'carer', delete: 'carer' },
  },
];

/** A second sign-in of the account. */
const SESSION: OtherRecord = {
  item: '/api/auth/sessions/{id}',
  make: async (api, { account: { email, password, token } }) => {
    await api.post('/api/auth/login', { email, password });
    const sessions = (await api.get('/api/auth/sessions', { token })).body as {
      id: string;
      current: boolean;
    }[];
    return sessions.find(({ current }) => !current)!.id;
  },
};

/** A device that the account remembers. */
const DEVICE_TOKEN: OtherRecord = {
  item: '/api/users/me/device-tokens/{id}',
  make: async (api, { account }) => {
    const { email, password } = account;
    const { body } = await api.post('/api/auth/login', { email, password, remember_device: true });
    return (await api.get('/api/users/me/device-tokens', { token: body.token })).body[0].id;
  },
};

/** A passkey. */
const PASSKEY: OtherRecord = {
  item: '/api/passkeys/{id}',
  make: async (api, { account }) => {
    const body = await aNewPasskey(api, account);
    return (await api.post('/api/passkeys', body, { token: account.token })).body.id;
  },
};

/** A browser that takes reminders. */
const PUSH_SUBSCRIPTION: OtherRecord = {
  item: '/api/push/subscriptions/{id}',
  isPut: true,
  make: async (api, { token }) => {
    const id = randomUUID();
    const browser = createECDH('prime256v1');
    const body = {
      endpoint: 'https://127.0.0.1:9/a-browser',
      p256dh: browser.generateKeys().toString('base64url'),
      auth: randomBytes(16).toString('base64url'),
      label: 'A browser',
    };
    await api.put(`/api/push/subscriptions/${id}`, body, { token });
    return id;
  },
};

/** A reminder of that browser. */
const REMINDER: OtherRecord = {
  item: '/api/reminders/{id}',
  isPut: true,
  make: async (api, { token, ids }) => {
    const id = randomUUID();
    const body = {
      subscription_id: ids[PUSH_SUBSCRIPTION.item],
      slot_id: randomUUID(),
      text: 'sealed',
      due_at: '2099-01-01T08:00:00Z',
      time_zone: 'UTC',
    };
    await api.put(`/api/reminders/${id}`, body, { token });
    return id;
  },
};

/** An invitation to a space of the account. */
const INVITATION: OtherRecord = {
  item: '/api/space/invitations/{id}',
  make: async (api, household) => {
    const owner = { ...household.account, id: idOfAccount(household) };
    household.space = await aSpace(api, owner);
    return (await invite(household.space, owner, 'carer')).id;
  },
};

/** Records of the service that are not record kinds, but whose ids are path parameters. */
const SERVICE_RECORDS: readonly OtherRecord[] = [
  SESSION,
  DEVICE_TOKEN,
  PASSKEY,
  PUSH_SUBSCRIPTION,
  REMINDER,
  INVITATION,
];

/** The service's own kinds and records, and those of the modules that a team adds. */
export function registryOf(own: Partial<Registry> = {}): Registry {
  return {
    kinds: [...SERVICE_KINDS, ...(own.kinds ?? [])],
    others: [...SERVICE_RECORDS, ...(own.others ?? [])],
    codes: own.codes,
  };
}

/** The registry of the service without added modules. */
export const SERVICE_REGISTRY: Registry = registryOf();
