import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuiltService, spawnBuiltService, startBuiltService } from '../support/built-service';
import { createDatabase, dropDatabase } from '../support/databases';

const DIST = join(__dirname, '../../dist');

/** A `main.js` of a team outside, in a folder of its own. */
const mainOf = (extension: string) => `
  const { createRequire } = require('node:module');
  const load = createRequire(${JSON.stringify(join(DIST, 'main.js'))});
  const { Controller, Get, Module } = load('@nestjs/common');
  const { Public } = load('./libs/http/src');
  const { defineSettings, integer } = load('./libs/config/src');
  const { run } = load('./apps/api/src');

  class GreetingController {
    greet() { return { greeting: 'hello', pid: process.pid }; }
  }
  const greet = Object.getOwnPropertyDescriptor(GreetingController.prototype, 'greet');
  Get()(GreetingController.prototype, 'greet', greet);
  Public()(GreetingController.prototype, 'greet', greet);
  Controller('greeting')(GreetingController);
  class GreetingModule {}
  Module({ controllers: [GreetingController] })(GreetingModule);
  const parse = integer(1, 1, 9);
  const settings = defineSettings({ GREETINGS: { description: '', defaultText: '', parse } });
  run({ ${extension} });`;

describe('a main.js of a team outside', () => {
  let folder: string;
  let databaseUrl: string;
  let service: BuiltService | undefined;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hrs-outside-'));
    databaseUrl = await createDatabase();
  });
  afterEach(async () => {
    await service?.end();
    service = undefined;
    await dropDatabase(databaseUrl);
    rmSync(folder, { recursive: true });
  });

  const write = (extension: string) => {
    const path = join(folder, 'main.js');
    writeFileSync(path, mainOf(extension));
    return path;
  };

  it.each(['1', '2'])('runs the service with its module in %s processes', async (WEB_CONCURRENCY) => {
    const main = write('modules: [GreetingModule], settings');
    service = await startBuiltService({ DATABASE_URL: databaseUrl, WEB_CONCURRENCY }, { main });
    const pids = new Set<number>();
    for (let count = 0; count < 40; count++) {
      const { status, body } = await service.api.get('/api/greeting', { headers: { Connection: 'close' } });
      expect([status, body.greeting]).toEqual([200, 'hello']);
      pids.add(body.pid);
    }
    expect(pids.has(service.process.pid!)).toBe(WEB_CONCURRENCY === '1');
    expect((await service.api.get('/api/profiles')).body.code).toBe('token_missing');
    expect(await service.end()).toBe(0);
    service = undefined;
  });

  it.each([
    [
      'settings, entities: [GreetingModule]',
      {},
      'The service cannot start: GreetingModule has no @Entity().',
    ],
    [
      'settings, modules: []',
      { GREETINGS: '10', PASSWORD_HASH_ITERATIONS: 'x' },
      'The service cannot start: PASSWORD_HASH_ITERATIONS must be a whole number from 1 to 10000000; GREETINGS must be a whole number from 1 to 9.',
    ],
  ])('that does not fit ends with one sentence: %s', async (extension, environment, sentence) => {
    service = await spawnBuiltService(
      { DATABASE_URL: databaseUrl, ...environment },
      { main: write(extension) },
    );
    const code = await new Promise((resolve) => service!.process.once('close', resolve));
    expect(code).toBe(1);
    expect(JSON.parse(service.output())).toMatchObject({ level: 'fatal', msg: sentence });
    service = undefined;
  });
});
