import { toCamelCase } from '../inputs';
import { clientOf, EMAIL, PASSWORD, registered } from '../testing/fake-client';
import type { CheckRequest, DeviceCheckRequest, Person } from './interaction-types';
import { FakeService } from '../testing/fake-service';

const result = {
  kind: 'interaction',
  severity: 'major',
  action: 'avoid',
  medications: ['Warfarin', 'Aspirin'],
  ingredients: ['warfarin', 'acetylsalicylic acid'],
  summary: 's',
  mechanism: 'm',
  management: 'g',
  evidence: 'established',
  sources: [{ id: 'a', title: 't', publisher: 'p', year: 2020 }],
  rule_id: 'r',
  related_rules: [],
  matches: [{ input: 'Warfarin', ingredient: 'warfarin', method: 'exact', confidence: 1 }],
  knowledge_version: '1',
};

it('lets the service check where it is asked to, and reads the answer member by member', async () => {
  const { service, client } = await registered();
  let answer: unknown = [
    { ...result, partners: [{ ingredient: 'x', names: ['y'], brands: [] }], unknown: 1 },
  ];
  service.intercept = ({ path }) =>
    path.startsWith('/api/interactions/') ? { status: 200, body: answer } : undefined;
  expect(
    await client.interactions.checkByService({ medications: ['Warfarin', 'Aspirin'], species: 'dog' }),
  ).toEqual([toCamelCase({ ...result, partners: [{ ingredient: 'x', names: ['y'], brands: [] }] })]);
  expect(service.requests.at(-1)!.body).toEqual({ medications: ['Warfarin', 'Aspirin'], species: 'dog' });
  await client.interactions.checkNewByService({ name: 'Warfarin' });
  expect(service.requests.at(-1)!.body).toEqual({ name: 'Warfarin', dosage: '' });
  for (const wrong of [
    {},
    [1],
    [{ ...result, kind: 'x' }],
    [{ ...result, severity: 'mild' }],
    [{ ...result, sources: 1 }],
  ]) {
    answer = wrong;
    await expect(client.interactions.checkByService({ medications: [] })).rejects.toMatchObject({
      code: 'protocol_violation',
    });
  }
});

it('checks all that a profile takes now, for its species, without a name on the wire', async () => {
  const { service, client: owner } = await registered();
  await owner.logout();
  const check = jest.fn((_request: CheckRequest) => []);
  const client = clientOf(service, {
    interactionEngine: () => ({ check, checkNew: () => [], resolve: () => [] }),
  });
  await client.login(EMAIL, PASSWORD);
  const pet = await client.profiles.create({ kind: 'pet', details: { name: 'Tom', species: 'cat' } });
  const add = (name: string, endDate?: string) =>
    client.medications.create({
      profileId: pet.id,
      route: 'oral',
      schedule: null,
      details: { name, endDate },
    });
  await add('Canarine');
  await add('Canarol', '2999-12-31');
  await add('Canarex', '2020-01-01');
  await client.checkInteractionsOf(pet.id);
  expect(check.mock.calls[0][0].species).toBe('cat');
  expect([...check.mock.calls[0][0].medications].sort()).toEqual(['Canarine', 'Canarol']);
  await client.profiles.update(pet, { details: { species: 'rabbit' } });
  await expect(client.checkInteractionsOf(pet.id)).rejects.toMatchObject({ code: 'invalid_argument' });
  expect(service.wire).not.toMatch(/canar/i);
});

it('takes the person into account on the device, and sends nothing about the person', async () => {
  const service = new FakeService();
  const check = jest.fn((_request: { person?: Person }) => []);
  const client = clientOf(service, {
    interactionEngine: () => ({ check, checkNew: check, resolve: () => [] }),
  });
  const person = {
    age: 41,
    pregnant: true,
    conditions: ['asthma'],
    allergies: ['penicillin'],
    egfr: 55,
  } as const;
  await client.interactions.check({ medications: ['Canarine'], person });
  await client.interactions.checkNew({ name: 'Canarine', person });
  expect(check.mock.calls.map(([request]) => request.person)).toEqual([person, person]);
  expect(service.wire).not.toMatch(/canarine|pregnant|asthma|penicillin|egfr/i);
});

it('checks a profile for the person, and sends nothing of the person or of the medicines', async () => {
  const { service, client: owner } = await registered();
  await owner.logout();
  const check = jest.fn((_request: DeviceCheckRequest) => []);
  const client = clientOf(service, {
    interactionEngine: () => ({ check, checkNew: () => [], resolve: () => [] }),
  });
  await client.login(EMAIL, PASSWORD);
  const [profile] = await client.profiles.list();
  const details = { name: 'Canarine' };
  await client.medications.create({ profileId: profile.id, route: 'oral', schedule: null, details });
  const person = { age: 7193, sex: 'female', breastfeeding: true, egfr: 8281, smokes: true } as const;
  const before = service.requests.length;
  await client.checkInteractionsOf(profile.id, { person, language: 'de' });
  expect(check.mock.calls).toEqual([
    [{ medications: ['Canarine'], species: 'human', person, language: 'de' }],
  ]);
  const asked = service.requests.slice(before).map(({ method, path }) => `${method} ${path.split('?')[0]}`);
  expect(asked.every((request) => request.startsWith('GET '))).toBe(true);
  expect(asked.at(-1)).toBe('GET /api/interactions/knowledge-base');
  expect(service.wire).not.toMatch(/canarine|7193|8281|breastfeeding|female|smokes|"de"/i);
});

it('keeps no address of the device engine that is not of the web', async () => {
  const of = (url: string) => [{ sources: [{ id: 's', url }] }] as never;
  const client = clientOf(new FakeService(), {
    interactionEngine: () => ({
      check: () => of('javascript:alert(1)'),
      checkNew: () => of('https://example.org/'),
      resolve: () => [],
    }),
  });
  const [bad] = await client.interactions.check({ medications: ['a'] });
  const [good] = await client.interactions.checkNew({ name: 'a' });
  expect([bad.sources, good.sources]).toEqual([[{ id: 's' }], [{ id: 's', url: 'https://example.org/' }]]);
});

it('asks the service for a language and for details', async () => {
  const { service, client } = await registered();
  service.intercept = ({ path }) =>
    path.startsWith('/api/interactions/') ? { status: 200, body: [] } : undefined;
  await client.interactions.checkByService({ medications: ['Warfarin'], language: 'de' });
  expect(service.requests.at(-1)!.headers.get('Accept-Language')).toBe('de');
  await client.interactions.checkNewByService({ name: 'Warfarin', language: 'es', detail: 'full' });
  expect(service.requests.at(-1)!.headers.get('Accept-Language')).toBe('es');
  expect(service.requests.at(-1)!.query.get('detail')).toBe('full');
  expect(service.requests.at(-1)!.body).toEqual({ name: 'Warfarin', dosage: '' });
});

it('reads the words for a family, and no address that is not of the web', async () => {
  const { service, client } = await registered();
  const in_short = { lang: 'de', kind: 'k', severity: 's', action: 'a', what_to_do: 'w' };
  const source = { ...result.sources[0], section: '4 Contraindications' };
  const partner = { ingredient: 'opioid', names: ['codeine'], brands: [] };
  const sources = [
    { ...source, url: 'https://example.org/' },
    { ...source, url: 'javascript:alert(1)' },
  ];
  const body = [
    { ...result, lang: 'en', in_short, sources, partners: [{ ...partner, is_class: true }, partner] },
  ];
  service.intercept = ({ path }) =>
    path.startsWith('/api/interactions/') ? { status: 200, body } : undefined;
  expect(await client.interactions.checkNewByService({ name: 'Warfarin' })).toEqual([
    toCamelCase({ ...body[0], sources: [sources[0], source] }),
  ]);
});

it('refuses a person where the service checks: it must not be told, and nothing must look checked', async () => {
  const { service, client } = await registered();
  service.intercept = ({ path }) =>
    path.startsWith('/api/interactions/') ? { status: 200, body: [] } : undefined;
  const request = {
    medications: ['Warfarin'],
    person: { age: 41, conditions: ['asthma'] },
  } as DeviceCheckRequest;
  for (const call of [
    client.interactions.checkByService(request),
    client.interactions.checkNewByService({ ...request, name: 'Warfarin' }),
  ]) {
    await expect(call).rejects.toMatchObject({ code: 'invalid_argument' });
  }
  expect(service.wire).not.toMatch(/asthma/);
});

it('says what is missing without an engine, and tries again after a failure', async () => {
  const service = new FakeService();
  await expect(clientOf(service).interactions.check({ medications: [] })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  const device = clientOf(service, {
    interactionEngine: () => ({ check: () => [], checkNew: () => [], resolve: () => [] }),
  });
  service.intercept = () => ({ status: 200, body: [] });
  await expect(device.interactions.check({ medications: [] })).rejects.toMatchObject({
    code: 'protocol_violation',
  });
  service.intercept = undefined;
  expect(await device.interactions.check({ medications: [] })).toEqual([]);
  expect(await device.interactions.namesBeginning('ibu')).toEqual([]);
});
