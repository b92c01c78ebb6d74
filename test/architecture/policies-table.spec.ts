import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RatePolicy } from '@app/http';
import {
  ADDRESS_POLICIES,
  LOCAL_POLICIES,
  SECRET_POLICIES,
  SPACE_POLICIES,
  STORED_POLICY,
} from '../../libs/security/src/rate-limits/policies';

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

it('SECURITY.md has the budgets of requests as the code has them', () => {
  const text = readFileSync(join(__dirname, '../../SECURITY.md'), 'utf8');
  const rows = [
    ...text.matchAll(/^\| `([a-z-]+)` +\|[^|]+\| ([\d,]+) in 1 (min|h|day) +\| ([a-z ]+?) +\|$/gm),
  ];
  const seconds = { min: 60, h: 3600, day: 86_400 };
  const documented = rows.map(([, name, points, unit, counted]) => ({
    name,
    points: Number(points.replaceAll(',', '')),
    windowSeconds: seconds[unit as keyof typeof seconds],
    isLocal: counted === 'in each process',
  }));
  const all = [
    ...Object.values({ ...LOCAL_POLICIES, ...ADDRESS_POLICIES, ...SPACE_POLICIES }),
    STORED_POLICY,
  ] as RatePolicy[];
  const inCode = all
    .flatMap((policy) => [policy, ...(policy.ofBlock ? [policy.ofBlock] : [])])
    .map(({ name, points, windowSeconds, isLocal = false }) => ({ name, points, windowSeconds, isLocal }));
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
  expect(documented.sort(byName)).toEqual(inCode.sort(byName));
});
