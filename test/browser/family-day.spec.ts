import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tracesOf } from '../support/traces';
import { describeInBrowser, Stage, STAGE_TIMEOUT_MS } from './browser';
import { type FamilyDay, liveFamilyDay, TYPED } from './family-day';

const BUNDLE = join(__dirname, '../../libs/client/dist/health-records-client.min.js');
const MAX_GZIPPED_BYTES = 50_000;
const PROMISED_UNLOCK_MS = 1500;

describeInBrowser('a family’s day in a browser, with the built bundle and the real service', () => {
  let stage: Stage;
  let day: FamilyDay;
  beforeAll(async () => {
    stage = await Stage.start();
    day = await liveFamilyDay(stage);
    const times = day.unlockMs.map((ms) => Math.round(ms)).join(' and ');
    process.stdout.write(`Unlocking in the browser: ${times} ms (promised: ${PROMISED_UNLOCK_MS} ms)\n`);
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  it('begins with two persons and a dog', () => {
    expect(day.profiles).toEqual([
      { kind: 'human', name: TYPED.mother },
      { kind: 'human', name: TYPED.daughter },
      { kind: 'pet', name: TYPED.dog },
    ]);
  });

  it('counts doses, and the adherence of a schedule', () => {
    expect(day.adherence).toEqual({ takenDoses: 2, scheduledDoses: 60, adherenceRate: 3.3 });
  });

  it('keeps an appointment, and leaves one', () => {
    expect(day.statuses).toEqual(['completed', 'scheduled']);
  });

  it('shows the trend of what was measured', () => {
    expect(day.trend).toMatchObject({ count: 4, unit: TYPED.unit });
    expect(day.trend.mean).toBeCloseTo(TYPED.reading - 3, 9);
    expect(day.trend.slopePerDay).toBeCloseTo(-2, 9);
  });

  it('warns of interactions, and of what a dog must not take', () => {
    expect(day.findings.human).toContain('interaction');
    expect(day.findings.dog).toContain('species_toxicity');
  });

  it('ends on every device when the phrase recovers the account on a new one', () => {
    expect(day.recoveredNames).toEqual([TYPED.mother, TYPED.daughter, TYPED.dog]);
    expect(day.endedBecause).toBe('refresh_refused');
  });

  it('is taken along into another account, whole', () => {
    expect(day.fileHead).toBe('HRSEXP');
    // Three profiles, three medications, three doses, two appointments, four readings.
    expect(day.imported).toEqual({ created: 15, skipped: 0 });
    expect(day.exports[0]).toContain(TYPED.medicationNote);
    expect(day.exports[1]).toBe(day.exports[0]);
  });

  it('runs without a complaint of the browser', () => {
    expect(stage.complaints).toEqual([]);
  });

  describe('all that the browser sent', () => {
    it('is captured: the service got nothing else', () => {
      const captured = [...day.sent.values()].map((bytes) => bytes.toString());
      const unseen = stage.proxy.requests.filter(
        ({ method, url, text }) =>
          !captured.some(
            (each) =>
              each.startsWith(`${method} ${stage.proxy.url}${url}\r\n`) && each.endsWith(`\r\n\r\n${text}`),
          ),
      );
      expect(unseen).toEqual([]);
      expect(stage.proxy.requests.length).toBeGreaterThan(50);
    });

    it('went to the page and the service only', () => {
      const targets = new Set([...day.sent.keys()].map((line) => new URL(line.split(' ')[2]).origin));
      expect(targets).toEqual(new Set([stage.origin, stage.proxy.url]));
    });

    it('holds no name, drug, note, reading, password, phrase or key', () => {
      const kinds = new Set(day.secrets.map(({ what }) => what.replace(/:.*/, '')));
      expect([...kinds]).toEqual(
        expect.arrayContaining([
          'mother',
          'phrase',
          'password',
          'data key',
          'derived',
          'input of a derivation',
        ]),
      );
      expect(tracesOf(day.secrets, day.sent)).toEqual([]);
      const bytes = [...day.sent.values()].reduce((sum, each) => sum + each.length, 0);
      process.stdout.write(
        `Searched ${day.sent.size} requests (${bytes} bytes) for ${day.secrets.length} secrets: none\n`,
      );
    });

    it('holds the proofs of password and phrase: the search finds what is there', () => {
      const found = new Set(tracesOf(day.proofs, day.sent).map((trace) => trace.split(' in ')[0]));
      expect([...found].sort()).toEqual([
        'derived: health-records/v1/password/auth',
        'derived: health-records/v1/recovery/proof',
      ]);
      for (const proof of day.proofs) expect(tracesOf([proof], day.sent)).not.toEqual([]);
    });

    it('is found out where one secret of any kind is planted', () => {
      for (const secret of day.secrets) {
        const planted = { medications: [{ id: 7, value: Buffer.from(secret.value).toString('base64') }] };
        const sent = new Map(day.sent).set('planted', Buffer.from(JSON.stringify(planted)));
        expect(tracesOf([secret], sent)).toEqual([`${secret.what} in planted`]);
      }
    });

    it('is found out where the page itself gives a name away', async () => {
      const context = await stage.profile();
      const sent = new Map<string, Buffer>();
      context.on('request', (request) =>
        sent.set(request.url(), request.postDataBuffer() ?? Buffer.alloc(0)),
      );
      const page = await stage.tab(context);
      await page.evaluate(
        async ({ url, mother }) => {
          const body = JSON.stringify({ medications: [mother] });
          await fetch(`${url}/api/interactions/check`, { method: 'POST', body });
        },
        { url: stage.proxy.url, mother: TYPED.mother },
      );
      expect(tracesOf(day.secrets, sent)).toEqual([`mother in ${stage.proxy.url}/api/interactions/check`]);
    });
  });

  it('fits into a bundle below 50 kB gzipped', () => {
    const size = gzipSync(readFileSync(BUNDLE), { level: 9 }).length;
    process.stdout.write(`Bundle: ${size} bytes gzipped (promised: ${MAX_GZIPPED_BYTES})\n`);
    expect(size).toBeLessThan(MAX_GZIPPED_BYTES);
  });
});
