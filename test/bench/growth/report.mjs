import { median } from '../lib/measure.mjs';

/** The medians of a row's rounds for each size, and how many times slower each is than the smallest. */
export function summariseGrowth({ id, title, wanted, toById }, rounds) {
  const sizes = Object.entries(rounds).map(([name, results]) => {
    const of = (field) => median(results.map((result) => result[field]));
    const fields = ['perSecond', 'p50', 'p99', 'cpuMicros', 'databaseMicros'];
    return { name, ...Object.fromEntries(fields.map((field) => [field, of(field)])) };
  });
  for (const size of sizes) size.slower = sizes[0].perSecond / size.perSecond;
  return { id, title, wanted, toById, sizes, rounds };
}

export function printGrowthRow({ title, sizes }) {
  const cells = sizes.map(
    ({ name, perSecond, p99, cpuMicros, databaseMicros, slower }) =>
      `${name} ${Math.round(perSecond)}/s p99 ${p99} ms, processor ${Math.round(cpuMicros)} + ${Math.round(databaseMicros)} µs (${slower.toFixed(2)})`,
  );
  process.stdout.write(`${title}: ${cells.join('; ')}\n`);
}

/** The whole table, as Markdown. */
export function tableOfGrowth({ sizes, rows }) {
  const byId = rows.find(({ id }) => id === 'by-id');
  const head = [
    'Row',
    ...sizes.map(({ accounts, records }) => `${accounts} accounts, ${records} records, a second`),
  ];
  const ratios = ['slower at the full size', 'slower than by id'];
  const lines = rows.map(({ title, wanted, toById, sizes: measured }) => {
    const last = measured.at(-1);
    const least =
      toById && byId && Math.max(...measured.map((size, n) => byId.sizes[n].perSecond / size.perSecond));
    return [
      title,
      ...measured.map(({ perSecond }) => String(Math.round(perSecond))),
      cell(last.slower, wanted),
      least ? cell(least, toById) : '',
    ];
  });
  const rule = ['---', ...sizes.map(() => '---:'), '---:', '---:'];
  return [[...head, ...ratios], rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n') + '\n';
}

function cell(value, wanted) {
  if (wanted === undefined) return value.toFixed(2);
  return `${value.toFixed(2)} (<= ${wanted}${value <= wanted ? '' : ', **missed**'})`;
}
