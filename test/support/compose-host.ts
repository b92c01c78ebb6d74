import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api, sql, TestCluster } from '@app/testing';

const ROOT = join(__dirname, '../..');

export interface Run {
  code: number;
  out: string;
  errors: string;
}

/** A machine on which an operator runs deploy/compose: a copy of the scripts, with `docker-stand-in.js` as `docker`. */
export class ComposeHost {
  readonly deploy: string;
  private readonly folder: string;

  private constructor(private readonly clusters: Record<string, TestCluster>) {
    this.folder = mkdtempSync(join(tmpdir(), 'hrs-compose-'));
    this.deploy = join(this.folder, 'deploy');
    mkdirSync(join(this.deploy, 'compose'), { recursive: true });
    for (const name of ['compose', 'compose.yaml', 'backup.sh', 'second-place.sh', 'Caddyfile'])
      cpSync(join(ROOT, 'deploy', name), join(this.deploy, name), { recursive: true });
    mkdirSync(join(this.folder, 'bin'));
    this.addProgram('docker', `exec ${process.execPath} ${join(__dirname, 'docker-stand-in.js')} "$@"`);
    const servers = Object.entries(clusters).map(([major, { url }]) => [major, url]);
    writeFileSync(join(this.folder, 'servers.json'), JSON.stringify(Object.fromEntries(servers)));
  }

  /** @param majors for each of them there is an empty server. */
  static async start(...majors: string[]): Promise<ComposeHost> {
    const clusters: Record<string, TestCluster> = {};
    for (const major of majors) {
      clusters[major] = await TestCluster.start();
      // As a new server: what the embedded one makes for the service is not there.
      await sql(clusters[major].url, 'DROP DATABASE health_records');
      await sql(clusters[major].url, 'DROP ROLE health_records');
    }
    return new ComposeHost(clusters);
  }

  /** Puts a program of shell lines before those of the system. */
  addProgram(name: string, lines: string): void {
    writeFileSync(join(this.folder, 'bin', name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  }

  /** Runs a script of deploy/compose. */
  run(script: string, ...args: string[]): Promise<Run> {
    return this.begin(script, ...args).ended;
  }

  /** Runs it, and does not wait. */
  begin(script: string, ...args: string[]): { ended: Promise<Run> } {
    const child = spawn(join(this.deploy, 'compose', script), args, {
      env: {
        PATH: `${join(this.folder, 'bin')}:${process.env.PATH}`,
        STAND_IN: this.folder,
        SIGN_UP_SECONDS: '60',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const written = { out: '', errors: '' };
    child.stdout.on('data', (chunk: Buffer) => (written.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (written.errors += chunk.toString()));
    const ended = new Promise<Run>((resolve) =>
      child.once('close', (code) => resolve({ code: code ?? -1, ...written })),
    );
    return { ended };
  }

  private get state(): { api?: number; port: number; signups: string } | undefined {
    const file = join(this.folder, 'state.json');
    try {
      return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
    } catch {
      return undefined; // It is being written.
    }
  }

  /** The service that runs now. */
  get api(): Api {
    return new Api(`http://127.0.0.1:${this.state!.port}`);
  }

  /** Whether the service answers, and who may register there. */
  async signups(): Promise<string | undefined> {
    const isReady = await this.api.get('/readyz').then(
      ({ status }) => status === 200,
      () => false,
    );
    return this.state?.api && isReady ? this.state.signups : undefined;
  }

  hasStarted(): boolean {
    return this.state?.port !== undefined;
  }

  /** What was asked of `docker`, a line for each call. */
  calls(): string[] {
    return readFileSync(join(this.folder, 'calls'), 'utf8').trimEnd().split('\n');
  }

  read(...path: string[]): string {
    return readFileSync(join(this.deploy, ...path), 'utf8');
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.deploy, path), text);
  }

  /** Runs SQL as the superuser. */
  sql<R extends object>(major: string, text: string, database = 'postgres'): Promise<R[]> {
    return sql<R>(this.clusters[major].urlOf(database), text);
  }

  async stop(): Promise<void> {
    try {
      process.kill(this.state!.api!, 'SIGKILL');
    } catch {
      // There is none, or it has ended by itself.
    }
    for (const cluster of Object.values(this.clusters)) await cluster.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Runs a program to its end. @returns all that it wrote. */
export function output(program: string, ...args: string[]): Promise<string> {
  return new Promise((resolve) =>
    execFile(program, args, (_error, stdout, stderr) => resolve(stdout + stderr)),
  );
}
