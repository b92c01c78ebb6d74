import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type SharedService, sharedService } from '../support/service';

const TOUR = readFileSync(join(__dirname, '../../docs/tour.md'), 'utf8');

/** Printed between the blocks; the tour itself prints no such character. */
const SEPARATOR = '\x1e';

interface Step {
  commands: string;
  /** What the tour says that the commands print; `…` stands for anything. */
  prints: string;
}

/** The bash blocks of the tour, each with the text block that follows it. */
function tour(): Step[] {
  const blocks = [...TOUR.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, body]) => ({
    language,
    body,
  }));
  return blocks
    .map(({ language, body }, index) => ({ language, commands: body, next: blocks[index + 1] }))
    .filter(({ language }) => language === 'bash')
    .map(({ commands, next }) => ({ commands, prints: next?.language === 'text' ? next.body : '' }));
}

function patternOf(prints: string): RegExp {
  const literals = prints.split('…').map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('.*')}$`);
}

describe('the tour of docs/tour.md', () => {
  let service: SharedService;
  let printed: string[];
  let complaints: string;

  beforeAll(async () => {
    service = await sharedService();
    const script = tour()
      .map(({ commands }) => commands)
      .join(`printf '\\036'\n`);
    // Nothing of this environment but the path: a proxy or a curl configuration is not the tour's business.
    const env = { PATH: process.env.PATH, BASE: service.api.url };
    const run = await promisify(execFile)('bash', ['--norc', '-c', script], { env, timeout: 60_000 });
    printed = run.stdout.split(SEPARATOR);
    complaints = run.stderr;
  }, 90_000);

  it('runs from the first block to the last without a complaint', () => {
    expect(complaints).toBe('');
    expect(tour().length).toBeGreaterThan(10);
    expect(printed).toHaveLength(tour().length);
  });

  it.each(tour().map((step, index) => [index + 1, step] as const))(
    'prints what it says in block %i',
    (number, step) => {
      expect(step.prints).not.toBe('');
      expect(printed[number - 1]).toMatch(patternOf(step.prints));
    },
  );
});
