/** The profile “4G” of WebPageTest. Source: github.com/catchpoint/WebPageTest, settings/connectivity.ini. */
const NETWORK = {
  offline: false,
  latency: 170,
  downloadThroughput: 9_000_000 / 8,
  uploadThroughput: 9_000_000 / 8,
};
/** Source: Lighthouse, core/config/constants.js, `cpuSlowdownMultiplier` of its throttling for a phone. */
export const SLOWDOWN = 4;

/** Makes a tab as slow as a phone. @param withNetwork false: the processor alone. */
export async function throttle(page, withNetwork = true) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  if (!withNetwork) return;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK);
}
