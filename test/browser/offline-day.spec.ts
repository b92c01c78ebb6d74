import { questionsOf } from '@app/client';
import { aPerson, openClient } from '../support/people';
import { describeInBrowser, Stage, STAGE_TIMEOUT_MS } from './browser';
import { Device, Ledger, seeded, type Shown } from './offline-day';

/** `node test/bench/offline-day.mjs` takes 300. */
const WRITES = Number(process.env.OFFLINE_DAY_WRITES ?? 30);
const SEED = Number(process.env.OFFLINE_DAY_SEED ?? 1);
/** Of 100 requests and of 100 answers. */
const CUT_PERCENT = 15;
const WRITES_PER_KILL = 10;

declare const indexedDB: {
  deleteDatabase(name: string): { onsuccess: () => void; onblocked: () => void; onerror: () => void };
};

/** The updates of a medicine, each of which has set a member: those that stand, and those that wait for an answer. */
function writesIn(medicine: Shown): string[] {
  const asked = questionsOf(medicine).flatMap(({ fields }) =>
    fields.filter(({ other }) => other === true).map(({ field }) => field.replace('details.', '')),
  );
  return [...Object.keys(medicine.details), ...asked].filter((name) => name.startsWith('w'));
}

describeInBrowser('a day with a bad network', () => {
  let stage: Stage;
  let phone: Device;
  let tablet: Device;
  const ledger = new Ledger();
  const random = seeded(SEED);
  let cuts = 0;

  beforeAll(async () => {
    stage = await Stage.start();
    const { email, password, profileId } = await aPerson(stage.service.api.url);
    const account = { email, password, profileId };
    phone = await Device.start(stage, account, ledger, random);
    tablet = await Device.start(stage, account, ledger, random);
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  const cut = () => {
    if (random(100) >= CUT_PERCENT) return false;
    cuts += 1;
    return true;
  };

  it(
    `${WRITES} writes on two devices of two tabs, requests and answers cut, tabs killed: none lost, none double`,
    async () => {
      stage.proxy.hold = () => (cut() ? Promise.reject(new Error('cut')) : undefined);
      stage.proxy.tamper = (_request, answer) => {
        if (cut()) throw new Error('cut');
        return answer;
      };
      for (let count = 1; count <= WRITES; count += 1) {
        const device = [phone, tablet][random(2)];
        if (count % WRITES_PER_KILL === 0) await device.kill();
        else await device.write();
      }
      stage.proxy.hold = stage.proxy.tamper = undefined;
      // A device that was killed after a deletion seals it when it is there again. Until then the other one doubts it.
      for (const device of [phone, tablet]) await device.settle();
      for (const device of [phone, tablet]) expect(await device.settle()).toEqual([]);

      const [here, there] = [await phone.shown(), await tablet.shown()];
      expect(here).toEqual(there);
      expect(cuts).toBeGreaterThan(WRITES / 10);
      const shown = new Map(here.medicines.map(({ id, details }) => [id, details]));
      expect(shown.size).toBe(here.medicines.length);
      const held = new Map(here.medicines.map((medicine) => [medicine.id, writesIn(medicine)]));
      // None lost: what two devices wrote at once stands, or is a question.
      for (const [id, members] of ledger.medicines) {
        const missing = [...members].filter((member) => !held.get(id)?.includes(member));
        expect([id, shown.has(id), missing]).toEqual([id, true, []]);
      }
      expect([...ledger.doses.keys()].filter((id) => !here.doses.includes(id))).toEqual([]);
      expect([...ledger.deleted].filter((id) => shown.has(id))).toEqual([]);
      // None double, and none that nobody made.
      const { unknown } = ledger;
      const made = [...ledger.medicines.keys(), ...phone.temporary, ...tablet.temporary];
      expect([...shown.keys()].filter((id) => !made.includes(id) && !unknown.has(id))).toEqual([]);
      expect(new Set(here.doses).size).toBe(here.doses.length);
      expect(here.doses.filter((id) => !ledger.doses.has(id) && !unknown.has(id))).toEqual([]);
      // An update that was sent twice would have been counted twice by the service.
      for (const { id, revision } of here.medicines)
        expect([id, revision]).toEqual([id, 1 + new Set(held.get(id)).size]);
      const { email, password } = phone.account;
      const fresh = openClient(stage.service.api.url);
      await fresh.login(email, password);
      const stored = new Map((await fresh.medications.list()).map(({ id, details }) => [id, details]));
      expect(stored).toEqual(shown);
    },
    STAGE_TIMEOUT_MS + WRITES * 2000,
  );

  it('a database that is deleted under two open tabs is filled again', async () => {
    const before = await phone.shown();
    const [first, second] = phone.tabs;
    const outcome = await second.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const request = indexedDB.deleteDatabase('day');
          request.onsuccess = () => resolve('deleted');
          request.onblocked = () => resolve('blocked');
          request.onerror = () => resolve('failed');
        }),
    );
    expect(outcome).toBe('deleted');
    expect(await phone.shown()).toEqual(before);
    expect(await second.evaluate(async () => (await inPage.client.medications.list()).length)).toBe(
      before.medicines.length,
    );
    expect(await first.evaluate(() => inPage.client.sync.status.problems)).toEqual([]);
    expect(stage.complaints.filter((text) => !text.includes('net::ERR_'))).toEqual([]);
  });
});
