import { randomUUID } from 'node:crypto';
import { accessTokenOf } from '../lib/tokens.mjs';
import { uuidText } from './ids.mjs';
import { STATS_OF_TRACKER } from './population.mjs';

/** Requests of a row whose people are others in each turn. */
const FRESH = 4;

/**
 * What is asked of every size. `requests`: of `people` accounts, drawn at random from all. `fresh`: of others in each
 * turn, whom nobody has asked for since the start. `wanted`: how many times slower than the smallest size it may be.
 * `toById`: how many times slower than a read by id of the same size.
 */
export const GROWTH_ROWS = [
  { id: 'by-id', title: 'Read by id', wanted: 1.3, requests: readsById },
  {
    id: 'list-20',
    title: 'List of 20',
    wanted: 1.3,
    requests: (population, people) =>
      drawn(people, () => get(population, population.trackerAt(Math.random()), '/health-stats?limit=20')),
  },
  {
    id: 'doses-20',
    title: 'The last 20 doses of a medication',
    requests: (population, people) =>
      drawn(people, () => {
        const n = Math.floor(Math.random() * population.accounts);
        return get(population, n, `/medications/${uuidText(population.medicationOf(n))}/log?limit=20`);
      }),
  },
  {
    id: 'adherence',
    title: 'Adherence, 10 years of doses',
    toById: 1.5,
    requests: (population, people) =>
      drawn(people, () => {
        const n = population.takerAt(Math.random());
        return get(population, n, `/medications/${uuidText(population.medicationOf(n))}/adherence`);
      }),
  },
  {
    id: 'by-id-fresh',
    title: 'Read by id, people not seen before',
    fresh: true,
    requests: (population, people) => readsById(population, FRESH * people),
  },
];

function readsById(population, people) {
  return drawn(people, () => {
    const n = population.trackerAt(Math.random());
    const stat = population.statOf(n, Math.floor(Math.random() * STATS_OF_TRACKER));
    return get(population, n, `/health-stats/${uuidText(stat)}`);
  });
}

function drawn(count, request) {
  return Array.from({ length: count }, request);
}

function get(population, n, path) {
  const token = accessTokenOf(uuidText(population.accountOf(n)), randomUUID());
  return { method: 'GET', path: `/api${path}`, headers: { Authorization: `Bearer ${token}` } };
}
