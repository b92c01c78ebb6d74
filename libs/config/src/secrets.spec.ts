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
    });
    expect(resolveSecrets(config)).toEqual({
      jwtSecret: GIVEN,
      decoySecret: `${GIVEN}!`,
      secondStepSecret: `${GIVEN}?`,
      secondStepSecretPrevious: `${GIVEN}.`,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are made where none is given, differ, and outlive a restart', () => {
    const config = new ServiceConfig({ DATA_DIR: join(folder, 'new') });
    const { jwtSecret, decoySecret, secondStepSecret } = resolveSecrets(config);
    expect(jwtSecret).toMatch(/^[\w-]{43}$/);
    expect(decoySecret).toMatch(/^[\w-]{43}$/);
    expect(secondStepSecret).toMatch(/^[\w-]{43}$/);
    expect(new Set([jwtSecret, decoySecret, secondStepSecret]).size).toBe(3);
    expect(resolveSecrets(new ServiceConfig({ DATA_DIR: join(folder, 'new') }))).toEqual({
      jwtSecret,
      decoySecret,
      secondStepSecret,
    });
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
