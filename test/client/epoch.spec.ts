import { RevisionConflictError } from '@app/client';
import { aPerson, type Person } from '../support/people';
import { sql } from '../support/databases';
import { startService, type TestService } from '../support/service';

let service: TestService;
let person: Person;
beforeAll(async () => {
  service = await startService();
  person = await aPerson(service.api.url);
});
afterAll(() => service.stop());

it('changes records after a restore, and never by a revision of before', async () => {
  const { client, profileId } = person;
  const appointment = {
    profileId,
    status: 'scheduled',
    details: { title: 'Vaccination', startsAt: '2026-12-01T09:00:00Z' },
  };
  const before = await client.appointments.create(appointment);
  const [profile] = await client.profiles.list();
  expect(before).not.toHaveProperty('epoch');
  await sql(
    service.databaseUrl,
    `INSERT INTO epochs (id, started_at) SELECT 'abcdef012345', max(started_at) + interval '1 second' FROM epochs`,
  );

  const refused = await client.appointments.update(before, { status: 'completed' }).catch((error) => error);
  expect(refused).toBeInstanceOf(RevisionConflictError);
  expect(refused.current).toMatchObject({
    id: before.id,
    revision: 1,
    status: 'scheduled',
    epoch: 'abcdef012345',
  });
  // The profile itself is the same after the restore, so the client repeats the update on it.
  expect(await client.profiles.update(profile, { relationship: 'mother' })).toMatchObject({
    relationship: 'mother',
    epoch: 'abcdef012345',
  });

  // From an item, from the answer of a write, from a list.
  const second = await client.appointments.update(refused.current, { status: 'completed' });
  expect(second).toMatchObject({ revision: 2, epoch: 'abcdef012345' });
  expect(await client.appointments.update(second, { status: 'missed' })).toMatchObject({ revision: 3 });
  const [listed] = await client.appointments.list({ profileId });
  await client.appointments.delete(listed);
  const [again] = await client.profiles.list();
  expect(await client.profiles.update(again, { relationship: 'aunt' })).toMatchObject({
    relationship: 'aunt',
  });
});
