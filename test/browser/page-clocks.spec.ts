import { EXPORT_FORMAT, EXPORT_VERSION, HealthRecordsClient, newId } from '@app/client';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { until } from '../support/until';
import { describeInBrowser, PageStage, STAGE_TIMEOUT_MS } from './page-stage';

const EMAIL = 'clocks@example.org';
const SECRET = 'nine herons cross the wet meadow';
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const NAMES = ['Otto', 'Lena', 'Ida', 'Maximilian', 'Bello'];
/** Of each, by the local clock: 40 medicines in all. Otto's first one is due in the hour that comes twice. */
const TIMES = [
  ['08:00'],
  ['08:00'],
  ['08:00'],
  ['08:00'],
  ['08:00', '20:00'],
  ['08:00', '20:00'],
  ['12:00'],
  ['23:55'],
];
const NIGHT = '02:30';
const DAYS = ['22', '23', '24', '25', '26', '27', '28'].map((day) => `2026-10-${day}`);
/** In the night to the 25th of October 2026 Berlin sets its clocks back at 3:00; New York does a week later. */
const END_OF_SUMMER = Date.parse('2026-10-25T01:00:00Z');

const inBerlin = (day: string, time: string) => {
  const summer = Date.parse(`${day}T${time}:00+02:00`);
  return summer < END_OF_SUMMER ? summer : Date.parse(`${day}T${time}:00+01:00`);
};
const inNewYork = (day: string, time: string) => Date.parse(`${day}T${time}:00-04:00`);
const before = (day: string) => new Date(Date.parse(day) - DAY).toISOString().slice(0, 10);
const medicineOf = (who: string, index: number) => `Tonic ${who} ${index}`;

/** An answer as it was tapped: the medicine, and when its dose was taken at the earliest and the latest. */
interface Tapped {
  name: string;
  from: number;
  to: number;
}

describeInBrowser(
  'a week of five people with forty medicines: clocks set back, midnight, two time zones',
  () => {
    let stage: PageStage;
    let client: HealthRecordsClient;
    const tapped: Tapped[] = [];

    /** A device of the family. */
    class Device {
      private constructor(
        readonly context: BrowserContext,
        readonly page: Page,
      ) {}

      static async open(timezoneId: string, at: number): Promise<Device> {
        const context = await stage.profile({ timezoneId, viewport: { width: 390, height: 844 } });
        await context.clock.install({ time: at });
        const page = await stage.signIn(context, EMAIL, SECRET);
        page.setDefaultTimeout(30_000);
        await stage.open(page, '/app/settings', 'Look and language');
        await page.getByLabel('Lock after').selectOption({ label: 'Never' });
        await stage.open(page, '/app/today', 'Today');
        const device = new Device(context, page);
        return device;
      }

      /** Lets the clock go on, as if the device had slept, and takes in what others have done. */
      async sleepUntil(at: number): Promise<void> {
        const shown = await this.page.evaluate('Date.now()');
        await this.context.clock.fastForward(at - Number(shown));
        await this.page.evaluate('document.dispatchEvent(new Event("visibilitychange")), undefined');
      }

      button(name: string): Locator {
        return this.page.getByRole('button', { name: new RegExp(`^${name}`) });
      }

      /** Answers the first of these rows, and notes the doses. @param planned of a missed dose: it is noted for this time */
      async tap(rows: Locator, names: string[], choice?: string, planned?: number): Promise<void> {
        await rows.first().waitFor();
        const count = await rows.count();
        const from = Number(await this.page.evaluate('Date.now()'));
        await rows.first().click();
        const dialog = this.page.getByRole('dialog');
        if (choice) await dialog.getByRole('button', { name: new RegExp(`^${choice}`) }).click();
        await until('it is answered', async () => (await rows.count()) === count - 1);
        const to = Number(await this.page.evaluate('Date.now()'));
        for (const name of names) tapped.push({ name, from: planned ?? from, to: planned ?? to });
        // Else the next tap may be a second one.
        await this.context.clock.fastForward(1000);
      }

      async tapGroup(who: string, time: string): Promise<void> {
        const names = TIMES.flatMap((times, index) =>
          times.includes(`0${time}`.slice(-5)) && !(who === 'Otto' && index === 0)
            ? [medicineOf(who, index)]
            : [],
        );
        await this.tap(
          this.page.getByRole('button', { name: `All of ${who}’s ${time}`, exact: true }),
          names,
        );
      }

      taken(name: string, time: string): Locator {
        return this.button(`Taken: ${name}.*, ${time},`);
      }
    }

    /** All doses that the service has. */
    async function stored(): Promise<{ name: string; at: number; taken: boolean }[]> {
      const found = [];
      for (const { id, details } of await client.medications.list())
        for (const { loggedAt, taken } of await client.medications.doses(id))
          found.push({ name: String(details.name), at: Date.parse(loggedAt), taken });
      return found;
    }

    const allSent = () =>
      until(
        'all is sent',
        async () => (await stored()).length >= tapped.length + NAMES.length * TIMES.length,
      );

    beforeAll(async () => {
      stage = await PageStage.start();
      client = new HealthRecordsClient({ baseUrl: stage.url });
      await client.register({ email: EMAIL, password: SECRET, recoveryPhrase: null });
      await client.transfer.importAll({
        format: EXPORT_FORMAT,
        version: EXPORT_VERSION,
        exportedAt: new Date(inBerlin(DAYS[0], '06:00')).toISOString(),
        profiles: NAMES.map((who) => ({
          id: newId(),
          kind: who === 'Bello' ? 'pet' : 'human',
          relationship: 'other',
          details: { name: who, ...(who === 'Bello' && { species: 'dog' }) },
          appointments: [],
          healthStats: [],
          medications: TIMES.map((times, index) => ({
            id: newId(),
            route: 'oral',
            schedule: { timesPerDay: times.length },
            details: {
              name: medicineOf(who, index),
              dose: { amount: 1, unit: 'tablet' },
              schedule: { times: who === 'Otto' && index === 0 ? [NIGHT] : times },
              startDate: before(DAYS[0]),
            },
            // From then on, what is due counts.
            doses: [
              {
                id: newId(),
                taken: true,
                loggedAt: new Date(inBerlin(before(DAYS[0]), '21:00')).toISOString(),
              },
            ],
          })),
        })),
      });
    }, STAGE_TIMEOUT_MS);
    afterAll(() => stage?.stop());

    it(
      'stores each dose that was tapped, at its time, and no other',
      async () => {
        const phone = await Device.open('Europe/Berlin', inBerlin(DAYS[0], '07:30'));
        const tablet = await Device.open('America/New_York', inBerlin(DAYS[0], '07:30'));
        for (const [index, day] of DAYS.entries()) {
          const isAbroad = index === 3 || index === 4;
          if (day === '2026-10-25') {
            // The second 2:40 of this night.
            await phone.sleepUntil(Date.parse('2026-10-25T01:40:00Z'));
            await phone.tap(phone.taken(medicineOf('Otto', 0), '2:30'), [medicineOf('Otto', 0)]);
          }
          await phone.sleepUntil(inBerlin(day, '08:05'));
          // Every second evening nobody was awake at 23:55.
          if (index % 2 === 0 && index > 0 && index !== 4)
            for (const who of NAMES) {
              const late = medicineOf(who, 7);
              const yesterday = inBerlin(before(day), '23:55');
              await phone.tap(phone.taken(late, '23:55'), [late], 'At its time', yesterday);
            }
          if (day !== '2026-10-25')
            await phone.tap(phone.taken(medicineOf('Otto', 0), '2:30'), [medicineOf('Otto', 0)]);
          for (const who of NAMES) await phone.tapGroup(who, '8:00');
          await phone.sleepUntil(inBerlin(day, '12:05'));
          for (const who of NAMES)
            await phone.tap(phone.taken(medicineOf(who, 6), '12:00'), [medicineOf(who, 6)]);
          const evening = isAbroad ? tablet : phone;
          if (isAbroad) await allSent();
          await evening.sleepUntil(isAbroad ? inNewYork(day, '20:05') : inBerlin(day, '20:05'));
          // The tablet has slept, and takes in first what the phone has done.
          const groups = evening.page.getByRole('button', { name: /^All of .*20:00$/ });
          await until('those of today are left', async () => (await groups.count()) === NAMES.length);
          for (const who of NAMES) await evening.tapGroup(who, '20:00');
          if (index % 2 === 0 && !isAbroad) {
            await phone.sleepUntil(inBerlin(day, '23:57'));
            for (const who of NAMES)
              await phone.tap(phone.taken(medicineOf(who, 7), '23:55'), [medicineOf(who, 7)]);
          } else if (index === 3) {
            // After midnight, by the clock of Berlin.
            await phone.sleepUntil(inBerlin(DAYS[4], '00:10'));
            for (const who of NAMES)
              await phone.tap(phone.taken(medicineOf(who, 7), '23:55'), [medicineOf(who, 7)], 'Just now');
          }
        }
        await allSent();
        const left = [...tapped];
        const ofWeek = (await stored()).filter(({ at }) => at >= inBerlin(DAYS[0], '00:00'));
        const unasked = ofWeek.filter(({ name, at, taken }) => {
          const index = left.findIndex((each) => each.name === name && each.from <= at && at <= each.to);
          if (index < 0 || !taken) return true;
          left.splice(index, 1);
          return false;
        });
        expect({ unasked, left }).toEqual({ unasked: [], left: [] });
        expect(tapped.length).toBeGreaterThan(250);
        expect(stage.complaints).toEqual([]);
      },
      4 * STAGE_TIMEOUT_MS,
    );
  },
);
