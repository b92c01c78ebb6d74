import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileWholeBase } from '../__fixtures__/whole-base';
import { createEngine } from '../engine';

const EVALUATION = join(__dirname, '../../evaluation');
const engine = createEngine(compileWholeBase().base);

const names = readFileSync(join(EVALUATION, 'names-other-scripts.tsv'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'));
const languages = [...new Set(names.map(([language]) => language))];
const words = readFileSync(join(EVALUATION, 'words-other-scripts.txt'), 'utf8').split(/\s+/).filter(Boolean);

const readAs = (name: string): string => {
  const [{ ingredients }] = engine.resolve({ medications: [name] });
  return [...ingredients].sort().join(' + ');
};

describe('names in other scripts', () => {
  it.each(languages)('reads every name of the list in %s', (language) => {
    const own = names.filter(([of]) => of === language);
    const wrong = own.filter(([, name, inns]) => readAs(name) !== inns.split(' + ').sort().join(' + '));
    expect(own.length).toBeGreaterThan(1);
    expect(wrong).toEqual([]);
  });

  it('says what it took a name for that it read by its sounds', () => {
    for (const [, name] of names) {
      const [{ method }] = engine.resolve({ medications: [name] });
      const kinds = engine.check({ medications: [name] }).map(({ kind }) => kind);
      expect([name, kinds.includes('name_assumed')]).toEqual([name, method === 'spelling']);
    }
  });

  it('finds an interaction between names of different scripts', () => {
    const found = engine.check({ medications: ['Варфарин 2,5 мг таблетки', 'イブプロフェン錠'] });
    expect(found.filter(({ kind }) => kind === 'interaction').map(({ severity }) => severity)).toEqual([
      'major',
    ]);
    expect(found.some(({ kind }) => kind === 'unrecognized')).toBe(false);
  });

  it('takes hardly any everyday word for a medicine, and none in silence', () => {
    const read = words.filter((word) => readAs(word) !== '');
    expect(words.length).toBeGreaterThan(200);
    expect(read.length).toBeLessThanOrEqual(words.length * 0.03);
    for (const word of read)
      expect(engine.check({ medications: [word] }).map(({ kind }) => kind)).toContain('name_assumed');
  });

  it('says that it does not know a name that sounds like none', () => {
    const [{ kind }] = engine.check({ medications: ['Абракадабрин'] });
    expect(kind).toBe('unrecognized');
  });
});
