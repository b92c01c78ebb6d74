import { tablesHolding } from '@app/testing';
import { startBuiltService } from '../support/built-service';
import { createDatabase, dropDatabase } from '../support/databases';
import { anAccount } from '../support/factories';

it('checks of interactions leave no name in the log and none in the database', async () => {
  const databaseUrl = await createDatabase();
  const built = await startBuiltService({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'trace' });
  try {
    const account = await anAccount(built.api);
    const call = (route: string, body: unknown) =>
      built.api.post(`/api/interactions/${route}`, body, { token: account.token });
    const name = 'sildenafil-of-ana';
    const answers = [
      await call('check', { medications: [name, 'nitroglycerin'] }),
      await call('check-new', { name, dosage: name }),
      await call('check-new', { name, dosage: name, medications: [name] }),
      await call('resolve', { medications: [name] }),
      await call('check', { medications: [name, 5] }),
      await call('check', { medications: [name], [name]: 1 }),
      await call(name, { medications: [name] }),
      await call('check', `{"medications":["${name}"`),
      await call(`check?name=${name}`, { medications: [name] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 400, 404, 400, 400]);
    expect(await tablesHolding(databaseUrl, name)).toEqual([]);
    await built.end();
    expect(built.output()).toContain('/api/interactions/check-new');
    expect(built.output().toLowerCase()).not.toContain('sildenafil');
    expect(built.output().toLowerCase()).not.toContain('nitroglycerin');
  } finally {
    await built.end();
    await dropDatabase(databaseUrl);
  }
});
