import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { python } from '../../support/python';

/** One question: what to do, and with what. */
export type Task = { do: string; [member: string]: unknown };
/** A value, or the code of the refusal. */
export type Answer = { ok?: any; refused?: string };
const PROGRAM = join(__dirname, 'health_records.py');
export const TIMEOUT_MS = 300_000;

/** Asks the second implementation many things at once. */
export function ask(tasks: Task[]): Answer[] {
  const found = python();
  if (!found) {
    throw new Error(
      'The second implementation needs Python with the package cryptography; PYTHON can name one.',
    );
  }
  const answers = execFileSync(found.executablePath, ['-B', PROGRAM], {
    input: JSON.stringify(tasks),
    encoding: 'utf8',
    env: { ...process.env, ...found.env },
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(answers) as Answer[];
}

export const b64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
export const bytes = (length: number) => randomBytes(length).toString('base64');
export const words = wordlist;

/** Tasks with the answers that they must have. */
export class Questions {
  readonly tasks: Task[] = [];
  readonly expected: Answer[] = [];

  ok(task: Task, value: unknown): void {
    this.tasks.push(task);
    this.expected.push({ ok: value });
  }

  refused(task: Task, code: string): void {
    this.tasks.push(task);
    this.expected.push({ refused: code });
  }
}
