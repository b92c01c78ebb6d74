import { HealthRecordsClient } from '@app/client';
import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../support/until';
import { describeInBrowser, PageStage, STAGE_TIMEOUT_MS } from './page-stage';
import { followWork, type Work } from './page-work';

const PHONE = { width: 360, height: 740 };
const EMAIL = 'tapper@example.org';
const SECRET = 'correct horse battery staple';
/** A write so soon after a look for news is sent alone: see `NEWS_PAUSE_MS` of the client. */
const NEWS_PAUSE_MS = 5_000;
/** Longer than any pause after which the page goes on by itself, but for the minute of the sync. */
const REST_MS = 6_000;
/** The page waits so long before it reads what was changed. */
const RELOADED_MS = 1_000;

jest.setTimeout(STAGE_TIMEOUT_MS);

describeInBrowser('what a tap on a dose costs', () => {
  let stage: PageStage;
  let client: HealthRecordsClient;
  let profile: BrowserContext;
  let page: Page;
  const medicines: Record<string, string> = {};

  beforeAll(async () => {
    stage = await PageStage.start();
    client = new HealthRecordsClient({ baseUrl: stage.url });
    await client.register({ email: EMAIL, password: SECRET, recoveryPhrase: null });
    const otto = { kind: 'human' as const, relationship: 'parent' as const, details: { name: 'Otto' } };
    const { id: profileId } = await client.profiles.create(otto);
    for (const name of ['Metformin', 'Ramipril', 'Bisoprolol', 'Torasemide', 'Candesartan', 'Ibuprofen']) {
      const asNeeded = name === 'Ibuprofen';
      const schedule = { times: asNeeded ? [] : ['13:00'], asNeeded };
      const details = { name, schedule, startDate: '2026-01-01' };
      const added = await client.medications.create({ profileId, route: 'oral', schedule: null, details });
      medicines[name] = added.id;
    }
    // The first dose of an account changes the head of its profile, too.
    await client.medications.logDose(medicines.Ibuprofen, { taken: true });
    profile = await stage.profile({ viewport: PHONE });
    await followWork(profile);
    page = await stage.signIn(profile, EMAIL, SECRET);
    await taken('Metformin').waitFor();
    // The first one makes the key for what this device notes for itself.
    await tap('Metformin');
    await until('the page is at rest', async () => {
      await begin();
      await page.waitForTimeout(REST_MS);
      return (await done()).requests.length === 0;
    });
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  const taken = (name: string) => page.getByRole('button', { name: new RegExp(`^Taken: ${name}`) });
  const begin = () => page.evaluate('work.begin()');
  const done = () => page.evaluate<Work>('work.done');
  const isStored = (name: string) =>
    until(`${name} is stored`, async () => (await client.medications.doses(medicines[name])).length === 1);

  /** Taps, and waits until all that follows is done, except for the look for news. */
  async function tap(name: string): Promise<Work> {
    await begin();
    await taken(name).click();
    await until(`${name} is sent`, async () => (await done()).answers.some((path) => path.endsWith('/log')));
    const { rows } = await done();
    await page.waitForTimeout(RELOADED_MS);
    return { ...(await done()), rows };
  }

  /** Begins with fresh news: the look for them then comes some seconds later. */
  async function readNews(): Promise<void> {
    await begin();
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await until('the news', async () => (await done()).answers.includes('/api/sync'));
  }

  it('draws one row, stores three changes, and sends one request, which says all', async () => {
    await readNews();
    const { rows, reads, writes, requests, crypto } = await tap('Ramipril');
    expect(requests).toEqual([`POST /api/medications/${medicines.Ramipril}/log`]);
    expect(rows).toBe(1);
    // Another tab may have written. Then: the dose, that it is being sent, and that it is stored.
    expect([reads, writes]).toEqual([1, 3]);
    // The proof, the comparison with what the service has stored, and the note of this device. No key is opened.
    expect(crypto).toEqual({ sign: 1, verify: 1, encrypt: 1 });
    await isStored('Ramipril');
  });

  it('reads the news once after several doses, and nothing of them a second time', async () => {
    await readNews();
    await tap('Torasemide');
    await begin();
    await until('the next news', async () => (await done()).answers.includes('/api/sync'));
    await page.waitForTimeout(NEWS_PAUSE_MS);
    const { requests, rows, crypto } = await done();
    expect(requests).toEqual(['GET /api/sync']);
    // The two answered rows leave their place; what the feed says again draws nothing.
    expect(rows).toBeLessThanOrEqual(3);
    expect(crypto.decrypt).toBeUndefined();
  });

  it('shows at once what another device has noted', async () => {
    await client.medications.logDose(medicines.Bisoprolol, { taken: true });
    await tap('Candesartan');
    await taken('Bisoprolol').waitFor({ state: 'detached' });
    await isStored('Candesartan');
  });

  it('shows the minute of the last sync, and not that of a try that failed', async () => {
    const context = await stage.profile({ viewport: PHONE });
    await context.clock.install();
    const tab = await stage.signIn(context, EMAIL, SECRET);
    await stage.open(tab, '/app/security', 'Security');
    const said = tab.getByText(/^Up to date as of/);
    const minute = () =>
      tab.evaluate(() => new Date().toLocaleTimeString('en-GB', { hour: 'numeric', minute: '2-digit' }));
    const load = () => tab.getByRole('button', { name: 'Load again' }).click();
    const shows = (minutes: string[]) =>
      until(minutes.join(' or '), async () => {
        const text = (await said.textContent()) ?? '';
        return minutes.some((each) => text.includes(`, ${each}`));
      });
    const first = await minute();
    await load();
    await shows([first, await minute()]);
    const words = await said.textContent();
    await context.setOffline(true);
    await tab.clock.fastForward('02:00');
    await load();
    await tab.getByText('Offline').first().waitFor();
    expect(await said.textContent()).toBe(words);
    await context.setOffline(false);
    const later = await minute();
    expect(words).not.toContain(later);
    await load();
    await shows([later, await minute()]);
    await context.close();
  });
});
