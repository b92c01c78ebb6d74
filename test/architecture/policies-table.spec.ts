import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET_POLICIES } from '../../libs/security/src/rate-limits/policies';

it('SECURITY.md has the limits of wrong secrets as the code has them', () => {
  const text = readFileSync(join(__dirname, '../../SECURITY.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(secret[a-z-]*)` +\| (\d+) +\| (\d+) +\|/gm)];
  const documented = rows.map(([, name, points, windowSeconds]) => ({
    name,
    points: Number(points),
    windowSeconds: Number(windowSeconds),
  }));
  expect(documented).toEqual(Object.values(SECRET_POLICIES));
});
