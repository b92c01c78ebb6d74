import { parseArgs } from 'node:util';

/** The two forms of the limit. */
export const LIMITS = ['pooled', 'pipelined'];

const HELP = `npm run bench -- [options]

  --rows a,b         only these rows (their ids are in rows.mjs)
  --servers a,b      only these of: service, production, pooled, pipelined, nest, peer, other
  --connections a,b  default 32,256
  --rounds n         default 5
  --seconds n        of each measurement, default 4
  --other folder     measures the built service of another checkout too, for a change against its base
  --out file         default test/bench/results.json
  --quick            two rounds of one second, without the peer: whether it works, not how fast it is
`;

/** The options of one run. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string' },
      servers: { type: 'string' },
      connections: { type: 'string', default: '32,256' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      other: { type: 'string' },
      out: { type: 'string' },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit();
  }
  const servers = list(values.servers) ?? [
    'service',
    ...LIMITS,
    'production',
    ...(values.quick ? [] : ['peer']),
  ];
  if (values.other && !servers.includes('other')) servers.push('other');
  return {
    rows: list(values.rows),
    servers,
    connections: list(values.connections).map(Number),
    rounds: Number(values.rounds ?? (values.quick ? 2 : 5)),
    seconds: Number(values.seconds ?? (values.quick ? 1 : 4)),
    other: values.other,
    out: values.out,
  };
}

function list(text) {
  return text?.split(',').filter(Boolean);
}
