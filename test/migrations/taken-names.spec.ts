import { userOfName } from '../../libs/schematics/src/record/taken-names';
import document from '../../apps/api/openapi.json';
import { createDatabase, dropDatabase, sql } from '../support/databases';

// Jest cannot load this package. The tested code does not need it.
jest.mock('magic-string', () => ({}));

describe('the names that the generator refuses', () => {
  let url: string;
  beforeAll(async () => (url = await createDatabase()));
  afterAll(() => dropDatabase(url));

  it('are all tables of the service, and the first part of each path', async () => {
    const tables = await sql<{ name: string }>(
      url,
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename !~ '_p[0-9]+$'",
    );
    const paths = Object.keys(document.paths).map((path) => path.split('/')[2].replaceAll('-', '_'));
    const names = [...new Set([...tables.map(({ name }) => name), ...paths])];
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => userOfName(name) !== 'the service')).toEqual([]);
  });

  it('are all words that PostgreSQL reserves', async () => {
    const words = await sql<{ word: string }>(
      url,
      "SELECT word FROM pg_get_keywords() WHERE catcode IN ('R', 'T')",
    );
    expect(words.length).toBeGreaterThan(90);
    expect(words.map(({ word }) => word).filter((word) => userOfName(word) !== 'PostgreSQL')).toEqual([]);
  });
});
