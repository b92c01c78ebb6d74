import { clientOf, registered } from '../testing/fake-client';
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
  ).toEqual([{ ...result, partners: [{ ingredient: 'x', names: ['y'], brands: [] }] }]);
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
});
