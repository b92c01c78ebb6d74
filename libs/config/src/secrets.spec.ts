import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptSecret, resolveSecrets } from './secrets';
import { ConfigError, ServiceConfig } from './service-config';

const GIVEN = 'a secret of at least thirty-two bytes';

describe('secrets', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'secrets-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const modeOf = (...path: string[]) => (statSync(join(folder, ...path)).mode & 0o777).toString(8);

  it('are the given ones, and then nothing is written', () => {
    const config = new ServiceConfig({
      DATA_DIR: folder,
      JWT_SECRET: GIVEN,
      DECOY_SECRET: `${GIVEN}!`,
      SECOND_STEP_SECRET: `${GIVEN}?`,
      SECOND_STEP_SECRET_PREVIOUS: `${GIVEN}.`,
      VAPID_PRIVATE_KEY: '0f'.repeat(32),
    });
    expect(resolveSecrets(config)).toEqual({
      jwtSecret: GIVEN,
      decoySecret: `${GIVEN}!`,
      secondStepSecret: `${GIVEN}?`,
      secondStepSecretPrevious: `${GIVEN}.`,
      vapidPrivateKey: Buffer.from('0f'.repeat(32), 'hex').toString('base64url'),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are made where none is given, differ, and outlive a restart', () => {
    const config = new ServiceConfig({ DATA_DIR: join(folder, 'new') });
    const made = resolveSecrets(config);
    expect(Object.values(made)).toEqual(Array(4).fill(expect.stringMatching(/^[\w-]{43}$/)));
    expect(new Set(Object.values(made)).size).toBe(4);
    expect(resolveSecrets(new ServiceConfig({ DATA_DIR: join(folder, 'new') }))).toEqual(made);
  });

  it('are another in another folder', () => {
    expect(keptSecret(join(folder, 'a'), 'jwt')).not.toBe(keptSecret(join(folder, 'b'), 'jwt'));
  });

  it('can be read by nobody else, also where the folder was open before', () => {
    mkdirSync(join(folder, 'secrets'));
    chmodSync(join(folder, 'secrets'), 0o755);
    keptSecret(folder, 'jwt');
    expect(modeOf('secrets')).toBe('700');
    expect(modeOf('secrets', 'jwt')).toBe('600');
  });

  it('leave no draft behind', () => {
    keptSecret(folder, 'jwt');
    expect(readdirSync(join(folder, 'secrets'))).toEqual(['jwt']);
  });

  it('stop the start where one is too short, and it is not told', () => {
    mkdirSync(join(folder, 'secrets'));
    writeFileSync(join(folder, 'secrets', 'jwt'), 'cut off');
    expect(() => keptSecret(folder, 'jwt')).toThrow(ConfigError);
    expect(() => keptSecret(folder, 'jwt')).not.toThrow(/cut off/);
  });

  it('stop the start with a sentence where DATA_DIR is no folder', () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    expect(() => keptSecret(path, 'jwt')).toThrow(ConfigError);
    expect(() => keptSecret(path, 'jwt')).toThrow(/^The service cannot start: DATA_DIR /);
  });
});
