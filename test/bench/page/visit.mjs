import { throttle } from './throttle.mjs';

/** A task of the processor that a person notices. Source: w3.org/TR/longtasks-1. */
const QUIET_MS = 1000;
const FIRST_ACT = '.account .button';

/** Notes long tasks, and when the first act is there. Runs in the page before all else. */
function observe(selector) {
  globalThis.longTasks = [];
  new PerformanceObserver((list) =>
    longTasks.push(...list.getEntries().map((each) => each.toJSON())),
  ).observe({
    type: 'longtask',
    buffered: true,
  });
  const look = () => {
    if (document.querySelector(selector)) globalThis.actedAt = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}

/** The first visit of a browser profile, and the second, which the service worker answers. */
export async function measureVisit({ browser, url }) {
  const profile = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
  try {
    const first = await visit(profile, url);
    const page = await profile.newPage();
    await page.goto(url);
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.close();
    return { first, second: await visit(profile, url) };
  } finally {
    await profile.close();
  }
}

async function visit(profile, url) {
  const page = await profile.newPage();
  await page.addInitScript(observe, FIRST_ACT);
  await throttle(page);
  await page.goto(url);
  await page.waitForFunction(() => 'actedAt' in globalThis);
  // Until no long task came for a while: only then is the page in the hands of the person.
  await page.waitForFunction(
    (quiet) => performance.now() - Math.max(actedAt, ...longTasks.map((task) => task.startTime)) > quiet,
    QUIET_MS,
  );
  const found = await page.evaluate(() => {
    const [painted] = performance.getEntriesByName('first-contentful-paint');
    const loaded = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < actedAt);
    return {
      painted: painted.startTime,
      interactive: Math.max(actedAt, ...longTasks.map((task) => task.startTime + task.duration)),
      requests: loaded.length + 1,
      kilobytes: Math.round(loaded.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000),
    };
  });
  await page.close();
  return found;
}
