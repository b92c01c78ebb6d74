import { HealthRecordsClient } from '@health-records/client';
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALLERGY } from '../client/allergy.kind';
import { startService, stopServices, type TestService } from './service';

const PASSWORD = 'correct horse battery staple';

describe('allergies in the client', () => {
  let service: TestService;
  before(async () => void (service = await startService()));
  after(stopServices);

  /** A device of a new account with one profile. */
  async function aDevice(email: string) {
    const client = new HealthRecordsClient({ baseUrl: service.api.url, kinds: [ALLERGY] });
    await client.register({
      email,
      password: PASSWORD,
      recoveryPhrase: null,
      profile: { details: { name: 'Ada' } },
    });
    const [{ id: profileId }] = await client.profiles.list();
    return { client, profileId, allergies: client.collection(ALLERGY) };
  }

  it('are encrypted on the device, and read and changed like every record', async () => {
    const { client, profileId, allergies } = await aDevice('ada@example.org');
    const details = { substance: 'Penicillin', reaction: 'rash' };
    const created = await allergies.create({ profileId, status: 'active', details });
    const updated = await allergies.update(created, { details: { reaction: 'anaphylaxis' } });
    deepEqual(await allergies.list({ profileId }), [updated]);
    deepEqual(updated.details, { ...details, reaction: 'anaphylaxis' });
    const { body } = await client.request({ method: 'GET', path: `/api/allergies/${created.id}` });
    ok(!JSON.stringify(body).includes('Penicillin'));
    const late = allergies.update(created, { details: { reaction: 'none' } });
    await rejects(late, { code: 'revision_conflict' });
    await allergies.delete(updated);
    deepEqual(await allergies.list(), []);
  });

  it('are in an export, and go into another account with it', async () => {
    const { client, profileId, allergies } = await aDevice('eve@example.org');
    await allergies.create({ profileId, status: 'active', details: { substance: 'Latex' } });
    const file = await client.transfer.exportEncrypted({ password: 'a long password of a file' });
    await client.deleteAccount(PASSWORD);
    const other = await aDevice('ida@example.org');
    const document = await other.client.transfer.readFile(file, { password: 'a long password of a file' });
    await other.client.transfer.importAll(document);
    const [found] = await other.allergies.list();
    equal(found.details.substance, 'Latex');
  });
});
