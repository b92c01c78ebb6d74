import { createHash } from 'node:crypto';
import { smallBase } from './__fixtures__/small-base';
import { existsSync } from 'node:fs';
import { KnowledgeError, compileKnowledge } from './build/compile-knowledge';
import { editionOf } from './edition';
import { loadKnowledge } from './node';

jest.mock('./build/compile-knowledge', () => {
  const actual = jest.requireActual<typeof import('./build/compile-knowledge')>('./build/compile-knowledge');
  return { ...actual, compileKnowledge: jest.fn() };
});

jest.mock('node:fs', () => ({
  ...jest.requireActual<typeof import('node:fs')>('node:fs'),
  existsSync: jest.fn(),
}));

describe('loadKnowledge', () => {
  it('compiles the sources where nothing was built, and tags the exact text', async () => {
    jest.mocked(existsSync).mockReturnValue(false);
    jest.mocked(compileKnowledge).mockReturnValue(smallBase());
    const { base, edition } = await loadKnowledge();
    const { text, etag } = edition('de');
    expect(JSON.parse(text)).toEqual(editionOf(base, 'de'));
    expect(base.version).toBe('1.2.3');
    expect(etag).toBe(`"${createHash('sha256').update(text).digest('base64url')}"`);
    expect(jest.mocked(compileKnowledge).mock.calls[0][0]).toMatch(/knowledge$/);
  });

  it('passes on what is wrong with the sources', async () => {
    jest.mocked(existsSync).mockReturnValue(false);
    jest.mocked(compileKnowledge).mockImplementation(() => {
      throw new KnowledgeError(['rules/x.yaml:1: rule: faulty']);
    });
    await expect(loadKnowledge()).rejects.toThrow('rules/x.yaml:1: rule: faulty');
  });
});
