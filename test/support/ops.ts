import { runOps } from '../../apps/api/src/ops/program';
import { TEST_ENVIRONMENT } from './service';

/** What a command of the operator has left. */
export interface OpsOutcome {
  code: number;
  /** The printed result; `undefined` without one. */
  result: any;
  errors: string;
}

/** Runs a command of the operator in this process, with `--json`. It asks nothing where `--yes` is among the arguments. */
export async function ops(environment: Record<string, string>, ...args: string[]): Promise<OpsOutcome> {
  const before = { ...process.env };
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  try {
    // As settingsOfServer says; a command reaches PostgreSQL without PgBouncer.
    const settings = process.env.TEST_CITUS_URL ? { DATABASE_PREPARED: 'off' } : {};
    Object.assign(process.env, TEST_ENVIRONMENT, settings, environment);
    const code = await runOps(['--json', ...args]);
    return {
      code,
      result: written.stdout.startsWith('{') ? JSON.parse(written.stdout) : undefined,
      errors: written.stderr,
    };
  } finally {
    for (const spy of spies) spy.mockRestore();
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}
