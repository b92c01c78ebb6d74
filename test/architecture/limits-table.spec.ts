import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type QueueLimits, QUEUES, statusOf } from '@app/common';

const text = readFileSync(join(__dirname, '../../docs/limits.md'), 'utf8');

function cells({ all, each, timeoutMs, whenFull }: QueueLimits, ofMachine?: string): string[] {
  const both = (ofAll: number | string | undefined, ofEach: number | undefined) =>
    [ofAll, ofEach === undefined ? undefined : `${ofEach} for each`].filter((part) => part !== undefined);
  return [
    both(ofMachine ?? all?.slots, each?.slots).join(', '),
    both(all?.length, each?.length).join(', '),
    `${timeoutMs / 1000} s`,
    `${statusOf(whenFull)} \`${whenFull}\``,
  ];
}

it('docs/limits.md has the queues as the code has them', () => {
  const rows = [...text.matchAll(/^\| `([a-z-]+)` +\|(.*)\|$/gm)].map(([, name, rest]) => [
    name,
    ...rest.split('|').map((cell) => cell.trim()),
  ]);
  const documented = rows
    .filter((row) => row.length === 7)
    .map(([name, , ...rest]) => [name, ...rest.slice(0, 4)]);
  const inCode = Object.entries<QueueLimits>(QUEUES).map(([name, limits]) => [
    name,
    ...cells(limits, name === 'hashes' ? 'half of the cores' : undefined),
  ]);
  expect(documented).toEqual(inCode);
});
