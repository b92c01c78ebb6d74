import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPlainRemote } from './database-tls';
import { checkDatabaseUrl, followFile } from './database-url';

describe('a URL of the database', () => {
  it.each([
    'postgres://user:p%40ss@db.example:5433/health?sslmode=verify-full',
    'postgresql://db/health',
    'postgres:///health?host=/var/run/postgresql',
    'postgres://user:password@/health?host=/var/run/postgresql',
    'postgres://%2Fvar%2Frun%2Fpostgresql/health',
    'postgres://[::1]:5432/health',
  ])('may be %s', (url) => expect(() => checkDatabaseUrl(url)).not.toThrow());

  it.each([
    'postgres://one,two/health',
    'postgres://user:password@one:5432,two:5432/health?target_session_attrs=read-write',
    'postgres:///health?host=one,two',
    'postgres:///health?host=one%2Ctwo',
  ])('%s is refused, since it names several hosts', (url) => {
    expect(check(url)).toContain('must name one host');
  });

  it.each(['mysql://db/health', 'db/health', 'postgres://db:port/health', ''])('is not %j', (url) => {
    expect(check(url)).toBe('must be a postgres:// URL');
  });

  it('with an @ in its password is refused, with the way to write it', () => {
    expect(check('postgres://user:p@ss@db.example/health')).toContain('%40');
  });

  it('of a Unix socket with a password crosses no network', () => {
    expect(isPlainRemote('postgres://user:password@/health?host=/run/postgresql')).toBe(false);
    expect(isPlainRemote('postgres://user:password@/health?host=db')).toBe(true);
  });
});

describe('a URL in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'database-url-'));
  const path = join(folder, 'url');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is followed in its user and password, and in nothing else', () => {
    const read = followFile('postgres://one:first@db:5432/health?sslmode=verify-full', path);
    expect(read()).toBe('postgres://one:first@db:5432/health?sslmode=verify-full');
    writeFileSync(path, 'postgres://two:s$1cond%40@elsewhere/other\n');
    expect(read()).toBe('postgres://two:s$1cond%40@db:5432/health?sslmode=verify-full');
    writeFileSync(path, 'postg');
    expect(read()).toBe('postgres://two:s$1cond%40@db:5432/health?sslmode=verify-full');
    rmSync(path);
    expect(read()).toBe('postgres://two:s$1cond%40@db:5432/health?sslmode=verify-full');
  });
});

function check(url: string): unknown {
  try {
    return checkDatabaseUrl(url);
  } catch (problem) {
    return problem;
  }
}
