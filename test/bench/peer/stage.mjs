import { randomBytes } from 'node:crypto';
import { withClient } from '../lib/postgres.mjs';
import { aBlob, SIZES } from '../lib/stage.mjs';

const PASSWORD = 'a password of the bench';

/**
 * Fills the peer's database with as much as the service's: a user, a session and an ACL for each account. The first of
 * each is made through the peer itself, the others are copies of its rows. The lists get the index that they need.
 */
export async function setPeerStage(databaseUrl, peerUrl, masterKey) {
  const call = callOf(peerUrl, masterKey);
  const permissions = {
    find: { '*': true },
    get: { '*': true },
    create: { '*': true },
    update: { '*': true },
  };
  const owner = { type: 'Pointer', targetClass: '_User' };
  await call('/schemas/HealthStat', {
    className: 'HealthStat',
    fields: { owner, encrypted_data: { type: 'Object' }, recorded_at: { type: 'Date' } },
    classLevelPermissions: permissions,
  });
  await call('/schemas/Dose', {
    className: 'Dose',
    fields: {
      owner,
      medication: { type: 'String' },
      taken: { type: 'Boolean' },
      logged_at: { type: 'Date' },
    },
    classLevelPermissions: permissions,
  });
  const user = await call('/users', { username: 'first', password: PASSWORD });
  await call('/login', { username: 'first', password: PASSWORD });
  const stat = await call('/classes/HealthStat', statOf(user.objectId));
  return withClient(databaseUrl, async (client) => {
    const copy = (table, from, changes) => copyRow(client, table, from, changes);
    const group = async (accounts, records) => {
      const list = [];
      for (let number = 0; number < accounts; number++) {
        const id = anId();
        const token = `r:${randomBytes(16).toString('hex')}`;
        await copy('_User', user.objectId, [{ objectId: id, username: id }]);
        await copy('_Session', undefined, [{ objectId: anId(), user: id, sessionToken: token }]);
        const statIds = Array.from({ length: records }, anId);
        await copy(
          'HealthStat',
          stat.objectId,
          statIds.map((objectId) => ({
            objectId,
            owner: id,
            _rperm: [id],
            _wperm: [id],
            encrypted_data: aBlob(),
          })),
        );
        list.push({ id, token, username: id, password: PASSWORD, statIds });
      }
      return list;
    };
    const stage = {
      readers: await group(SIZES.readers, 20),
      collectors: await group(SIZES.collectors, 1000),
      writers: await group(SIZES.writers, 1),
      people: await group(SIZES.people, 0),
    };
    await client.query('CREATE INDEX ON "HealthStat" (owner, recorded_at DESC)');
    await client.query('CREATE INDEX ON "_Session" ("sessionToken")');
    await client.query('VACUUM ANALYZE');
    return stage;
  });
}

export function statOf(userId) {
  return {
    owner: pointer(userId),
    encrypted_data: aBlob(),
    recorded_at: { __type: 'Date', iso: '2026-11-20T08:00:00.000Z' },
    ACL: aclOf(userId),
  };
}

export function doseOf(userId) {
  return {
    owner: pointer(userId),
    medication: anId(),
    taken: true,
    logged_at: { __type: 'Date', iso: '2026-11-20T08:00:00.000Z' },
    ACL: aclOf(userId),
  };
}

export function pointer(userId) {
  return { __type: 'Pointer', className: '_User', objectId: userId };
}

function aclOf(userId) {
  return { [userId]: { read: true, write: true } };
}

function anId() {
  return randomBytes(5).toString('hex');
}

/** Copies of one row (by default the table's first), each with changes to some columns. */
async function copyRow(client, table, objectId, changes) {
  await client.query(
    `INSERT INTO "${table}" SELECT copied.* FROM
        (SELECT r FROM "${table}" r WHERE $1::text IS NULL OR "objectId" = $1 LIMIT 1) original (r),
        jsonb_array_elements($2::jsonb) change,
        LATERAL jsonb_populate_record(original.r, change) copied`,
    [objectId, JSON.stringify(changes)],
  );
}

function callOf(peerUrl, masterKey) {
  return async (path, body) => {
    const response = await fetch(`${peerUrl}/parse${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Parse-Application-Id': 'bench',
        'X-Parse-Master-Key': masterKey,
      },
      body: JSON.stringify(body),
    });
    if (!response.ok)
      throw new Error(`The peer answered ${path} with ${response.status}: ${await response.text()}`);
    return response.json();
  };
}
