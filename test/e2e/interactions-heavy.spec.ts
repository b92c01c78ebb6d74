import { setTimeout as sleep } from 'node:timers/promises';
import { createEngine, type KnowledgeBase } from '@app/interactions';
import { type Answer, expectFailure } from '@app/testing';
import { HeavyChecksService } from '../../apps/api/src/interactions/heavy-checks.service';
import { anAccount } from '../support/factories';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { until } from '../support/until';

describe('checks of many names', () => {
  let service: ServiceHere;
  let heavy: HeavyChecksService;
  let token: string;
  let base: KnowledgeBase;
  /** A hundred names of ten medicines each. */
  let slashJoined: string[];
  beforeAll(async () => {
    // On a busy machine a thread takes longer to start and to answer than the service lets it.
    const signalAfter = AbortSignal.timeout.bind(AbortSignal);
    jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => signalAfter(10 * ms));
    service = await startServiceHere();
    heavy = service.app.get(HeavyChecksService, { strict: false });
    ({ token } = await anAccount(service.api));
    base = (await service.api.get('/api/interactions/knowledge-base')).body;
    const inns = base.ingredients.map(({ inn }) => inn).filter((inn) => /^[a-z]{5,15}$/.test(inn));
    slashJoined = Array.from({ length: 100 }, (_, i) =>
      Array.from({ length: 10 }, (_, part) => inns[(i * 10 + part) % inns.length]).join('/'),
    );
  });
  afterAll(() => service.stop());

  const post = (route: string, body: object) =>
    service.api.post(`/api/interactions/${route}`, body, { token });

  it('run in a thread that starts at the first one, and answer as the engine does', async () => {
    const few = slashJoined.slice(0, 3).map((name) => name.split('/')[0]);
    expect((await post('check', { medications: few })).status).toBe(200);
    expect(heavy.threads).toHaveLength(0);
    const engine = createEngine(base);
    // A part: the thread has a low priority, and a time-out.
    const some = slashJoined.slice(0, 20);
    const [name, ...medications] = some;
    const answer = await post('check', { medications: some, species: 'dog' });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.body).toEqual(engine.check({ medications: some, species: 'dog' }));
    expect((await post('check-new', { name, dosage: '', medications })).body).toEqual(
      engine.checkNew({ name, dosage: '', medications }),
    );
    expect((await post('resolve', { medications })).body).toEqual(engine.resolve({ medications }));
    expect(heavy.threads).toHaveLength(1);
  });

  it('have answers of a limited size, in which every name stands', async () => {
    const { status, text, body } = await post('check', { medications: slashJoined });
    expect(status).toBe(200);
    expect(text.length).toBeLessThan(3_000_000);
    const named = new Set((body as { medications: string[] }[]).flatMap(({ medications }) => medications));
    expect([...named].sort()).toEqual([...slashJoined].sort());
  });

  it('are 503 overloaded when their thread dies, and go on in another one', async () => {
    let failed: Answer[] = [];
    // Those that waited too long for the thread are to come back sooner.
    const hasDied = ({ headers }: Answer) => headers.get('retry-after') === '5';
    // The thread may be there before a check has come to it. So a later moment is tried.
    for (let pauseMs = 1; !failed.some(hasDied); pauseMs *= 2) {
      const checks = Array.from({ length: 4 }, () => post('check', { medications: slashJoined }));
      await until('the thread runs', async () => heavy.threads.length > 0);
      await sleep(pauseMs);
      await heavy.threads[0]?.terminate();
      failed = (await Promise.all(checks)).filter(({ status }) => status !== 200);
    }
    for (const answer of failed) expectFailure(answer, 'overloaded');
    expect((await post('check', { medications: slashJoined })).status).toBe(200);
  });
});
