import type { TokenBearer } from './tokens';
import { VerifiedTokens } from './verified-tokens';

const NOW = Date.parse('2026-11-20T08:00:00Z');
const inSeconds = (seconds: number) => NOW / 1000 + seconds;
const aBearer = (accountId: string): TokenBearer => ({ accountId, tokenVersion: 0, sessionId: 's' });

let tokens: VerifiedTokens;
beforeEach(() => {
  tokens = new VerifiedTokens();
  jest.spyOn(Date, 'now').mockReturnValue(NOW);
});
afterEach(() => jest.restoreAllMocks());

describe('tokens whose signature has been checked', () => {
  it('are known by the whole header until they expire, and never again', () => {
    const bearer = aBearer('a');
    tokens.remember('Bearer x', bearer, inSeconds(10));
    expect(tokens.find('Bearer x')).toBe(bearer);
    for (const other of ['', 'x', 'bearer x', 'Bearer x ', 'Bearer xy'])
      expect(tokens.find(other)).toBeUndefined();
    jest.mocked(Date.now).mockReturnValue(NOW + 9_999);
    expect(tokens.find('Bearer x')).toBe(bearer);
    jest.mocked(Date.now).mockReturnValue(NOW + 10_000);
    expect(tokens.find('Bearer x')).toBeUndefined();
    jest.mocked(Date.now).mockReturnValue(NOW);
    expect(tokens.find('Bearer x')).toBeUndefined();
  });

  it('are ten thousand at most: the oldest goes first', () => {
    for (let count = 0; count <= 10_000; count++)
      tokens.remember(`Bearer ${count}`, aBearer(`${count}`), inSeconds(10));
    expect(tokens.find('Bearer 0')).toBeUndefined();
    expect(tokens.find('Bearer 1')?.accountId).toBe('1');
    expect(tokens.find('Bearer 10000')?.accountId).toBe('10000');
  });

  it('are not remembered where a client has made the header long', () => {
    const header = `Bearer ${' '.repeat(2_048)}x`;
    tokens.remember(header, aBearer('a'), inSeconds(10));
    expect(tokens.find(header)).toBeUndefined();
  });
});
