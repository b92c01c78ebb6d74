import { median } from '../lib/measure.mjs';

const FIELDS = ['perSecond', 'p50', 'p99', 'cpuMicros', 'databaseMicros'];

/**
 * Of each row the medians for each size, and two ratios, each the median of the rounds' own: to the smallest size, and to
 * a read by id of the same size. `slower` compares rates, `dearer` the processor time of service and database together,
 * which the neighbours on a machine disturb less.
 */
export function summariseGrowth(rows, results) {
  const names = [...new Set(results.map(({ size }) => size))];
  const of = (row, size) => results.filter((result) => result.row === row && result.size === size);
  const compared = (ours, theirs) => {
    const ratio = (compare) => median(ours.map((result, round) => compare(result, theirs[round])));
    return {
      slower: ratio((one, other) => other.perSecond / one.perSecond),
      dearer: ratio((one, other) => processorMicros(one) / processorMicros(other)),
    };
  };
  return rows.map(({ id, title, wanted, toById }) => {
    const sizes = names.map((name) => {
      const ours = of(id, name);
      const byId = of('by-id', name);
      return {
        name,
        ...Object.fromEntries(FIELDS.map((field) => [field, median(ours.map((result) => result[field]))])),
        toSmallest: compared(ours, of(id, names[0])),
        toById: byId.length > 0 ? compared(ours, byId) : undefined,
      };
    });
    return {
      id,
      title,
      wanted,
      wantedToById: toById,
      sizes,
      rounds: results.filter(({ row }) => row === id),
    };
  });
}

function processorMicros({ cpuMicros, databaseMicros }) {
  return cpuMicros + databaseMicros;
}

/** The whole table, as Markdown. */
export function tableOfGrowth({ sizes, rows }) {
  const head = [
    'Row',
    'Accounts',
    'Records',
    'a second',
    'p99 ms',
    'service + database µs',
    'slower (dearer) than the smallest size',
    'than a read by id',
  ];
  const lines = rows.flatMap(({ title, wanted, wantedToById, sizes: measured }) =>
    measured.map(({ perSecond, p99, cpuMicros, databaseMicros, toSmallest, toById }, index) => [
      title,
      sizes[index].accounts,
      sizes[index].records,
      Math.round(perSecond),
      Math.round(p99),
      `${Math.round(cpuMicros)} + ${Math.round(databaseMicros)}`,
      cell(toSmallest, wanted),
      toById ? cell(toById, wantedToById) : '',
    ]),
  );
  const rule = ['---', ...head.slice(1).map(() => '---:')];
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n') + '\n';
}

function cell({ slower, dearer }, wanted) {
  const ratio = `${slower.toFixed(2)} (${dearer.toFixed(2)})`;
  if (wanted === undefined) return ratio;
  return `${ratio} <= ${wanted}${slower <= wanted ? '' : ' **missed**'}`;
}
