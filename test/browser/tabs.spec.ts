import type { Page } from 'playwright-core';
import { resignToken } from '@app/testing';
import { anEmail } from '../support/factories';
import { describeInBrowser, Stage, STAGE_TIMEOUT_MS } from './browser';

declare const localStorage: {
  length: number;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
};

const SESSION = 'health-records/session';
const REQUESTS = 10;
const LIST = 'GET /api/medications';
const REFRESH = 'POST /api/auth/refresh';

/** Real tabs: one `localStorage`, real Web Locks, the real service with a token that has really expired. */
describeInBrowser('two tabs of one session', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.start();
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  /** Two tabs, unlocked, whose access token has expired. Without `isLocked` they don't know of Web Locks. */
  async function twoTabs(isLocked: boolean): Promise<[Page, Page]> {
    const profile = await stage.profile();
    const tabs: [Page, Page] = [await stage.tab(profile), await stage.tab(profile)];
    const account = { email: anEmail(), password: 'correct horse battery staple' };
    for (const [at, tab] of tabs.entries()) {
      await tab.evaluate(
        async ({ url, email, password, isFirst, isLocked }) => {
          inPage.client = inPage.openClient(url, isLocked ? {} : { lock: (_name, run) => run() });
          if (isFirst) return inPage.client.register({ email, password, recoveryPhrase: null });
          await inPage.client.resume();
          await inPage.client.unlock(password);
        },
        { url: stage.proxy.url, ...account, isFirst: at === 0, isLocked },
      );
    }
    const session = JSON.parse(await tabs[0].evaluate((key) => localStorage.getItem(key)!, SESSION));
    const expired = resignToken(session.accessToken, { payload: { exp: 1_000_000 } });
    await tabs[0].evaluate(([key, text]) => localStorage.setItem(key, text), [
      SESSION,
      JSON.stringify({ ...session, accessToken: expired }),
    ] as const);
    // A write reaches the other tab some time later.
    await tabs[1].waitForFunction(([key, token]) => localStorage.getItem(key)?.includes(token), [
      SESSION,
      expired,
    ] as const);
    stage.proxy.requests.length = 0;
    return tabs;
  }

  /** Ten lists at once in each tab; `refresh` waits until every one of them has been refused. */
  async function askAtOnce(tabs: [Page, Page], refreshesToWaitFor: number) {
    let refused = 0;
    let release = () => {};
    const allRefused = new Promise<void>((resolve) => (release = resolve));
    const isReady = () =>
      refused === tabs.length * REQUESTS && stage.proxy.calls(REFRESH).length >= refreshesToWaitFor;
    const note = () => isReady() && release();
    stage.proxy.hold = ({ path }) => {
      if (path !== '/api/auth/refresh') return undefined;
      note();
      return allRefused;
    };
    stage.proxy.tamper = ({ path }, answer) => {
      if (path === '/api/medications' && answer.status === 401) refused += 1;
      note();
      return answer;
    };
    return Promise.all(
      tabs.map((tab) =>
        tab.evaluate(async (count) => {
          const reasons: string[] = [];
          inPage.client.on('session-ended', ({ reason }) => reasons.push(reason));
          const lists = await Promise.allSettled(
            Array.from({ length: count }, () => inPage.client.medications.list()),
          );
          return { answered: lists.filter(({ status }) => status === 'fulfilled').length, reasons };
        }, REQUESTS),
      ),
    );
  }

  it('ten requests in each with an expired token: one refresh in all, and nobody is logged out', async () => {
    const tabs = await twoTabs(true);
    const results = await askAtOnce(tabs, 1);
    expect(results).toEqual(Array(2).fill({ answered: REQUESTS, reasons: [] }));
    expect(stage.proxy.calls(REFRESH)).toHaveLength(1);
    // Each was refused once and repeated once.
    expect(stage.proxy.calls(LIST)).toHaveLength(2 * 2 * REQUESTS);
    for (const tab of tabs) {
      expect(await tab.evaluate(() => inPage.client.state)).toBe('unlocked');
      expect(await tab.evaluate(() => inPage.client.profiles.list())).toEqual([]);
    }
    expect(stage.proxy.calls(REFRESH)).toHaveLength(1);
    expect(stage.complaints).toEqual([]);
  });

  it('without Web Locks it would be two: the count above can fail', async () => {
    await askAtOnce(await twoTabs(false), 2);
    expect(stage.proxy.calls(REFRESH)).toHaveLength(2);
  });

  it('a logout in one ends the other', async () => {
    const [a, b] = await twoTabs(true);
    stage.proxy.hold = stage.proxy.tamper = undefined;
    const ended = b.evaluate(
      () =>
        new Promise<string>((resolve) => inPage.client.on('session-ended', ({ reason }) => resolve(reason))),
    );
    await a.evaluate(() => inPage.client.logout());
    expect(await ended).toBe('logged_out_elsewhere');
    expect(await b.evaluate(() => [inPage.client.state, localStorage.length])).toEqual(['signed-out', 0]);
  });
});
