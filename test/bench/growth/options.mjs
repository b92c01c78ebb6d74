import { parseArgs } from 'node:util';

const HELP = `node test/bench/growth.mjs [options]

  --accounts n         the full size, default 1000000; less where the disk has no room for it
  --sizes a,b          the sizes to compare; the first is the measure. Default 10000, 20000 (a million records) and the
                       full one
  --keep folder        keeps the databases there, and uses those that are there already
  --load-only          loads what is missing and measures nothing
  --rows a,b           only these rows (their ids are in growth/rows.mjs)
  --people n           how many accounts take part, drawn at random from all, default 8192
  --connections n      default 32
  --rounds n           default 5
  --seconds n          of each measurement, default 4
  --shared-buffers s   of PostgreSQL, default 2GB
  --out file           default test/bench/growth-results.json
`;

export function readGrowthOptions() {
  const { values } = parseArgs({
    options: {
      accounts: { type: 'string', default: '1000000' },
      sizes: { type: 'string' },
      keep: { type: 'string' },
      'load-only': { type: 'boolean', default: false },
      rows: { type: 'string' },
      people: { type: 'string', default: '8192' },
      connections: { type: 'string', default: '32' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '4' },
      'shared-buffers': { type: 'string', default: '2GB' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit();
  }
  const sizes = (values.sizes ?? `10000,20000,${values.accounts}`).split(',').map(Number);
  return {
    sizes,
    keep: values.keep,
    loadOnly: values['load-only'],
    rows: values.rows?.split(','),
    people: Number(values.people),
    connections: Number(values.connections),
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    sharedBuffers: values['shared-buffers'],
    out: values.out,
  };
}
