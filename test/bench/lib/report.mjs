import { median } from './measure.mjs';

const TO_PEER = 4;
const P99_TO_LIMIT = 1.3;
const P99_CONNECTIONS = 256;

/** The medians of a row's rounds, the ratios, and which of the wanted ones hold. */
export function summarise(row, connections, rounds) {
  const servers = {};
  for (const [name, results] of Object.entries(rounds)) {
    const of = (field) => median(results.map((result) => result[field]));
    servers[name] = {
      perSecond: of('perSecond'),
      p50: of('p50'),
      p99: of('p99'),
      cpuMicros: of('cpuMicros'),
    };
  }
  const { service, peer, production, other, nest } = servers;
  const limit = limitOf(row, servers);
  const checks = [];
  const check = (what, value, wanted, holds) => checks.push({ what, value, wanted, holds });
  if (limit && service) {
    const ratio = service.perSecond / limit.perSecond;
    if (row.wanted) check('of the limit', ratio, `>= ${row.wanted}`, ratio >= row.wanted);
    else check('of the limit', ratio);
    if (connections === P99_CONNECTIONS) {
      const p99 = service.p99 / limit.p99;
      check('p99 to the limit', p99, `<= ${P99_TO_LIMIT}`, p99 <= P99_TO_LIMIT);
    }
  }
  if (nest && service) check('of the limit in Nest', service.perSecond / nest.perSecond);
  if (peer && service) {
    const ratio = service.perSecond / peer.perSecond;
    if (row.peerDoesOther) check('of the peer', ratio);
    else {
      const { wantedOfPeer = TO_PEER } = row;
      check('of the peer', ratio, `>= ${wantedOfPeer}`, ratio >= wantedOfPeer);
    }
  }
  if (row.beside && service) {
    const ratio = servers[row.beside].perSecond / service.perSecond;
    if (row.besideAtMost)
      check(`${row.beside} for one`, ratio, `<= ${row.besideAtMost}`, ratio <= row.besideAtMost);
    else check(`${row.beside} for one`, ratio);
  }
  if (production && service) check('production', production.perSecond / service.perSecond);
  if (other && service) check('of the other build', service.perSecond / other.perSecond);
  return { id: row.id, title: row.title, connections, servers, checks };
}

/** Reads are judged against the faster form of the limit, writes against the pooled one. */
function limitOf({ writes }, { pooled, pipelined }) {
  if (writes) return pooled;
  if (!pooled || !pipelined) return pooled ?? pipelined;
  return pipelined.perSecond > pooled.perSecond ? pipelined : pooled;
}

/** A figure that is not a rate: memory, cold start. */
export function figure(title, value, unit, most) {
  return { title, value, unit, wanted: `<= ${most}`, holds: value <= most };
}

export function printRow({ title, connections, servers, checks }) {
  const rates = Object.entries(servers).map(
    ([name, { perSecond, p99, cpuMicros }]) =>
      `${name} ${short(perSecond)}/s p99 ${short(p99)} ms ${short(cpuMicros)} µs`,
  );
  const ratios = checks.map(
    ({ what, value, wanted, holds }) =>
      `${value.toFixed(2)} ${what}${wanted ? ` (${wanted}${holds ? '' : ' MISSED'})` : ''}`,
  );
  process.stdout.write(`${title}, ${connections} connections: ${rates.join('; ')}: ${ratios.join(', ')}\n`);
}

/** The whole table, as Markdown. */
export function tableOf({ rows, figures }) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row.servers)))];
  const whats = [...new Set(rows.flatMap((row) => row.checks.map(({ what }) => what)))];
  const lines = [
    ['Row', 'Connections', ...names.map((name) => `${name}/s`), ...whats],
    ['---', '---:', ...names.map(() => '---:'), ...whats.map(() => '---:')],
    ...rows.map((row) => [
      row.title,
      row.connections,
      ...names.map((name) => (row.servers[name] ? short(row.servers[name].perSecond) : '')),
      ...whats.map((what) => cell(row.checks.find((check) => check.what === what))),
    ]),
  ];
  const notes = figures.map(
    ({ title, value, unit, wanted, holds }) =>
      `${title}: ${value.toFixed(2)}${unit} (wanted ${wanted}${holds ? '' : ', MISSED'})`,
  );
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n${notes.join('\n')}\n`;
}

function cell(check) {
  if (!check) return '';
  return `${check.value.toFixed(2)}${check.wanted ? ` (${check.wanted})` : ''}${check.holds === false ? ' **missed**' : ''}`;
}

function short(number) {
  return number >= 100 ? Math.round(number).toLocaleString('en') : number.toPrecision(3);
}
