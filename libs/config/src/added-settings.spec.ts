import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { ExtensionError } from '@app/common';
import { defineSettings } from './added-settings';
import { ConfigError, ServiceConfig } from './service-config';
import { integer } from './settings';

const parse = (text: string | undefined) => text;
const NOTES = defineSettings({
  NOTES_PER_PROFILE: { description: 'Notes.', defaultText: '`7`', parse: integer(7, 1, 9) },
  NOTES_TOKEN: { description: 'A secret.', defaultText: 'none', secret: true, parse },
});

describe('settings of a module', () => {
  it('are read with those of the service, and typed', () => {
    const config = new ServiceConfig({ NOTES_PER_PROFILE: '3', PORT: '1' }, [NOTES]);
    const notes: number = config.valuesOf(NOTES).NOTES_PER_PROFILE;
    expect([notes, config.valuesOf(NOTES).NOTES_TOKEN, config.port]).toEqual([3, undefined, 1]);
    expect(new ServiceConfig({}, [NOTES]).valuesOf(NOTES).NOTES_PER_PROFILE).toBe(7);
  });

  it('are named in the one sentence that names every bad key', () => {
    const read = () => new ServiceConfig({ NOTES_PER_PROFILE: '10', PORT: 'x' }, [NOTES]);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(
      'The service cannot start: PORT must be a whole number from 0 to 65535; NOTES_PER_PROFILE must be a whole number from 1 to 9.',
    );
  });

  it('may be secrets: read from a file, and not shown where a configuration is printed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-'));
    const path = join(folder, 'token');
    writeFileSync(path, 'a token of notes\n');
    const config = new ServiceConfig({ NOTES_TOKEN_FILE: path }, [NOTES]);
    rmSync(folder, { recursive: true });
    expect(config.valuesOf(NOTES).NOTES_TOKEN).toBe('a token of notes');
    expect(inspect(config, { depth: 9, showHidden: true }) + JSON.stringify(config)).not.toContain('a token');
    const missing = () => new ServiceConfig({ NOTES_TOKEN_FILE: path }, [NOTES]);
    expect(missing).toThrow('NOTES_TOKEN cannot be read from the file that NOTES_TOKEN_FILE names');
  });

  it('that were not given to the configuration cannot be asked for', () => {
    expect(() => new ServiceConfig({}).valuesOf(NOTES)).toThrow(
      new ExtensionError(
        'The settings NOTES_PER_PROFILE, NOTES_TOKEN were not read: name them in the extension.',
      ),
    );
  });

  it.each([
    ['PORT', 'The setting PORT exists already.'],
    ['JWT_SECRET_FILE', 'The setting JWT_SECRET_FILE exists already.'],
    ['notesPerProfile', 'The setting notesPerProfile is not in CAPITALS.'],
  ])('refuse the name %s', (name, sentence) => {
    const define = () => defineSettings({ [name]: { description: '', defaultText: '', parse } });
    expect(define).toThrow(ExtensionError);
    expect(define).toThrow(sentence);
  });

  it('of two modules have names of their own', () => {
    const others = defineSettings({ NOTES_TOKEN: { description: '', defaultText: '', parse } });
    expect(() => new ServiceConfig({}, [NOTES, others])).toThrow('The setting NOTES_TOKEN is defined twice.');
    expect(() => new ServiceConfig({}, [NOTES, NOTES])).not.toThrow();
  });
});
