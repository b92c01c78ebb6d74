/**
 * The rows of the table: what is asked of the service, and of the peer where it can do the same.
 *
 * `ours`, `peer`: the requests. `renew`: requests that are used up with each turn. `limit`: the limit answers this too.
 * `wanted`: the least ratio to the limit, `wantedOfPeer`: to the peer, where it is not the usual one. `connections`: where not all. `beside`: another row, asked of the service in turns
 * with this one, and where it is judged at most `besideAtMost` times as fast. `peerDoesOther`: the peer's answer takes other
 * work, so that the ratio to it is shown and not judged. `doses`: the row reads the doses of ten years, which take minutes to
 * write.
 */
import { aBlob } from './lib/stage.mjs';
import { doseOf, pointer, statOf } from './peer/stage.mjs';

const TEN_NAMES = [
  [
    'warfarin',
    'aspirin',
    'metformin',
    'lisinopril',
    'simvastatin',
    'amlodipine',
    'omeprazole',
    'sertraline',
    'ibuprofen',
    'levothyroxine',
  ],
  [
    'Eliquis',
    'Plavix',
    'Glucophage',
    'Zestril',
    'Lipitor',
    'Norvasc',
    'Nexium',
    'Prozac',
    'Advil',
    'Synthroid',
  ],
  [
    'clarithromycin',
    'atorvastatin',
    'digoxin',
    'amiodarone',
    'furosemide',
    'spironolactone',
    'tramadol',
    'citalopram',
    'prednisone',
    'insulin glargine',
  ],
];

export const ROWS = [
  {
    id: 'by-id',
    title: 'Read by id',
    limit: true,
    wanted: 0.9,
    wantedOfPeer: 8,
    ours: ({ readers }) =>
      spread(readers, 2048, (account, n) => get(account, `/health-stats/${pick(account.statIds, n)}`)),
    peer: ({ readers }) =>
      spread(readers, 2048, (user, n) => peerGet(user, `HealthStat/${pick(user.statIds, n)}`)),
  },
  {
    id: 'list-20',
    title: 'List of 20',
    limit: true,
    wanted: 0.8,
    wantedOfPeer: 5,
    items: 20,
    ours: ({ readers }) => spread(readers, 512, (account) => get(account, '/health-stats')),
    peer: ({ readers }) => spread(readers, 512, (user) => peerList(user, 20)),
  },
  {
    id: 'list-1000',
    title: 'List of 1,000',
    limit: true,
    wanted: 1,
    wantedOfPeer: 3,
    items: 1000,
    ours: ({ collectors }) => spread(collectors, 256, (account) => get(account, '/health-stats')),
    peer: ({ collectors }) => spread(collectors, 256, (user) => peerList(user, 1000)),
  },
  {
    id: 'create',
    title: 'Create',
    limit: true,
    wanted: 1.1,
    wantedOfPeer: 2.5,
    writes: true,
    ours: ({ writers }) =>
      spread(writers, writers.length, (account) =>
        send(account, 'POST', '/health-stats', { profile_id: account.profileId, encrypted_data: aBlob() }),
      ),
    peer: ({ writers }) =>
      spread(writers, writers.length, (user) => peerSend(user, 'POST', 'HealthStat', statOf(user.id))),
  },
  {
    id: 'update',
    title: 'Update',
    limit: true,
    wanted: 0.9,
    wantedOfPeer: 2.5,
    writes: true,
    ours: ({ writers }) =>
      spread(writers, writers.length, (account) =>
        send(account, 'PUT', `/health-stats/${account.statIds[0]}`, { encrypted_data: aBlob() }),
      ),
    peer: ({ writers }) =>
      spread(writers, writers.length, (user) =>
        peerSend(user, 'PUT', `HealthStat/${user.statIds[0]}`, { encrypted_data: aBlob() }),
      ),
  },
  {
    id: 'dose-log',
    title: 'Dose log',
    ours: ({ writers }) =>
      spread(writers, writers.length, (account) =>
        send(account, 'POST', `/medications/${account.medicationId}/log`, { taken: true }),
      ),
    peer: ({ writers }) =>
      spread(writers, writers.length, (user) => peerSend(user, 'POST', 'Dose', doseOf(user.id))),
  },
  {
    id: 'adherence',
    title: 'Adherence, 10 years of doses',
    beside: 'by-id',
    besideAtMost: 1.5,
    doses: true,
    ours: ({ takers }) => adherenceOf(takers),
  },
  {
    id: 'adherence-new',
    // Its first dose is looked for as well. Shown, not judged.
    title: 'Adherence, entered today with 10 years of doses',
    beside: 'by-id',
    doses: true,
    ours: ({ newcomers }) => adherenceOf(newcomers),
  },
  {
    id: 'refresh',
    title: 'Refresh',
    // What is on its way when the load ends has used its token up: each turn begins with new sessions.
    renew: async ({ renewSessions }) =>
      (await renewSessions()).map((refreshToken, n) => ({
        ...anonymous('/auth/refresh', { refresh_token: refreshToken }, n),
        refreshToken,
      })),
  },
  {
    id: 'login',
    title: 'Login (the hash is the work)',
    // More than 50 in the queue for the hasher are refused: that is what it is for.
    connections: [32],
    // Ten rounds of bcrypt, which cannot be changed; the contract wants 210,000 of PBKDF2, which cost three times as much.
    peerDoesOther: true,
    ours: ({ people }) =>
      people.map(({ email, password }, n) => anonymous('/auth/login', { email, password }, n)),
    peer: ({ people }) =>
      people.map(({ username, password }) => ({
        method: 'POST',
        path: '/parse/login',
        headers: { ...JSON_BODY, ...PEER },
        body: JSON.stringify({ username, password }),
      })),
  },
  {
    id: 'interactions',
    title: 'Interaction check, 10 names',
    ours: ({ readers }) =>
      spread(readers, 512, (account, n) =>
        send(account, 'POST', '/interactions/check', { medications: pick(TEN_NAMES, n) }),
      ),
  },
];

const JSON_BODY = { 'Content-Type': 'application/json' };
const PEER = { 'X-Parse-Application-Id': 'bench' };

function pick(list, n) {
  return list[n % list.length];
}

/** `count` requests of all accounts in turn. */
function spread(accounts, count, request) {
  return Array.from({ length: count }, (_, n) =>
    request(pick(accounts, n), Math.floor(n / accounts.length) + n),
  );
}

function adherenceOf(accounts) {
  return spread(accounts, 512, (account) => get(account, `/medications/${account.medicationId}/adherence`));
}

function get({ token }, path) {
  return { method: 'GET', path: `/api${path}`, headers: { Authorization: `Bearer ${token}` } };
}

function send({ token }, method, path, body) {
  const headers = { ...JSON_BODY, Authorization: `Bearer ${token}` };
  return { method, path: `/api${path}`, headers, body: JSON.stringify(body) };
}

/** Each from an address of its own, which `production` believes: one address may not do so much. */
function anonymous(path, body, n) {
  const headers = { ...JSON_BODY, 'X-Forwarded-For': `10.0.${n >> 8}.${n & 255}` };
  return { method: 'POST', path: `/api${path}`, headers, body: JSON.stringify(body) };
}

function peerGet({ token }, path) {
  return {
    method: 'GET',
    path: `/parse/classes/${path}`,
    headers: { ...PEER, 'X-Parse-Session-Token': token },
  };
}

function peerList(user, limit) {
  const where = encodeURIComponent(JSON.stringify({ owner: pointer(user.id) }));
  return peerGet(user, `HealthStat?where=${where}&order=-recorded_at&limit=${limit}`);
}

function peerSend({ token }, method, path, body) {
  const headers = { ...JSON_BODY, ...PEER, 'X-Parse-Session-Token': token };
  return { method, path: `/parse/classes/${path}`, headers, body: JSON.stringify(body) };
}
