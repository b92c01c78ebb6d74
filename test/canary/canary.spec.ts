import { CONTRACT_STATUS } from '@app/testing';
import { findTraces, type Secret } from '../support/traces';
import { HIDDEN, knownSecrets, VISIBLE, type VisibleName } from './canaries';
import { type Control, plantKinds, plantRecords, plantRows } from './canary-controls';
import { type CanaryDay, liveCanaryDay } from './canary-day';
import { Refusals } from './canary-refusals';
import { ObservedKeys } from './observed-keys';
import { SearchedService } from './searched-service';
import { WatchedApi, Witness } from './witness';

/**
 * Zero knowledge, seen from the inside: a full day of a client, and then a search for all that it keeps to itself in all
 * that the service and its database have written, said and stored. The search is shown to find what is there.
 */
let service: SearchedService;
let day: CanaryDay;
let controls: Control[];
let ofKinds: Control[];
let secrets: Secret[];
/** Names of the places of each secret that was found. */
const found = new Map<string, string[]>();
const witness = new Witness();

beforeAll(async () => {
  service = await SearchedService.start({ QUOTA_RECORDS: '60' });
  const keys = ObservedKeys.observe();
  day = await liveCanaryDay(service.url, witness).finally(() => keys.restore());
  const api = new WatchedApi(service.url, witness);
  const jwtSecret = String(service.secrets.find(({ what }) => what === 'secret jwt')!.value);
  await new Refusals(api, day, service.databaseUrl, jwtSecret).provoke();
  ofKinds = await plantKinds(api);
  controls = [...ofKinds, ...(await plantRecords(api)), ...(await plantRows(service.databaseUrl))];
  secrets = [...knownSecrets(), ...keys.secrets, ...witness.tokens, ...day.secrets];
  const places = [...(await service.end()), ...witness.places];
  const sought = [...secrets, ...service.secrets, ...witness.marks, ...controls];
  for (const { what, place } of findTraces(sought, places))
    found.set(what, [...new Set([...(found.get(what) ?? []), place])].sort());
}, 120_000);
afterAll(() => service?.remove());

const isVisible = (what: string): what is VisibleName => what in VISIBLE;

describe('the day', () => {
  it('was stored: a new device reads it with the phrase', () => {
    expect(day.recoveredNames).toEqual([HIDDEN.mother, HIDDEN.daughter, HIDDEN.dog]);
  });

  it('saw every failure of the contract', () => {
    // `storage_low` is answered before a byte of the body is read; see test/security/storage.spec.ts.
    expect([...witness.codes, 'storage_low'].filter((code) => code in CONTRACT_STATUS).sort()).toEqual(
      Object.keys(CONTRACT_STATUS).sort(),
    );
  });

  it.each([
    'derived: health-records/v1/password/auth',
    'derived: health-records/v1/password/wrap',
    'derived: health-records/v1/recovery/proof',
    'derived: health-records/v1/recovery/wrap',
    'input of a derivation',
    'data key',
    'private key',
    'token',
    'signature of token',
    'secret of an app',
    'ticket',
    'output of a passkey',
  ])('made what is to be hidden: %s', (what) => {
    expect(secrets.filter((secret) => secret.what.startsWith(what)).length).toBeGreaterThan(0);
  });
});

describe('what a client hides', () => {
  it('is found in no table, no file, no log, no metric, no header and no error', () => {
    const hidden = secrets.filter(({ what }) => !isVisible(what));
    expect(hidden.length).toBeGreaterThan(100);
    expect(
      hidden.flatMap(({ what }) => (found.has(what) ? `${what} in ${found.get(what)!.join(', ')}` : [])),
    ).toEqual([]);
  });

  it.each(Object.entries(VISIBLE))(
    'is not the %s, which is found where the contract says',
    (what, { places }) => {
      expect(found.get(what)).toBeDefined();
      expect(found.get(what)!.filter((place) => !(places as readonly string[]).includes(place))).toEqual([]);
      expect(found.get(what)).toContain(places[0]);
    },
  );

  it('is, where it lies in a blob, in the table of its kind and nowhere else', () => {
    expect(ofKinds.length).toBeGreaterThan(3);
    const elsewhere = ofKinds.flatMap(({ what, places }) =>
      found
        .get(what)!
        .filter((place) => ![...places, 'table pg_catalog.pg_statistic'].includes(place))
        .map((place) => `${what}: ${place}`),
    );
    expect(elsewhere).toEqual([]);
  });

  it('is, of tokens, in the registry as a hash', () => {
    expect(found.get('hash of a token')).toContain('table public.sessions');
  });
});

describe('what the service hides', () => {
  it.each(['jwt', 'decoy', 'second-step', 'vapid', 'postgres'])(
    'is found in its secrets only: %s',
    (name) => {
      expect(found.get(`secret ${name}`)).toEqual(['the secrets']);
    },
  );
});

describe('the search', () => {
  it('finds what is planted, in each encoding and place', () => {
    expect(controls.length).toBeGreaterThan(10);
    const missed = controls.flatMap(({ what, places }) =>
      places.filter((place) => !found.get(what)?.includes(place)).map((place) => `${what}: ${place}`),
    );
    expect(missed).toEqual([]);
  });

  it('reads the log, the errors and the headers: the number of a refused request is in them', () => {
    expect(found.get('number of a request')).toEqual([
      'the error bodies',
      'the headers of answers',
      "the service's log",
    ]);
  });

  it('reads the metrics: the pattern of a route is in them', () => {
    expect(found.get('pattern of a route')).toEqual(['metrics', "the service's log"]);
  });
});
