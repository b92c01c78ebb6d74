import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '../..');
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface PackedService {
  /** The path of the tarball. */
  tarball: string;
  /** Size of the tarball. */
  bytes: number;
  unpackedBytes: number;
  /** Paths in the package, relative to its root. */
  files: string[];
}

/** Packs the built service into the folder as `npm pack` does, without building it again. */
export function packService(folder: string): Promise<PackedService> {
  return pack(ROOT, folder);
}

/** Packs the built client into the folder. Its tarball needs no install of the service. */
export function packClient(folder: string): Promise<PackedService> {
  return pack(join(ROOT, 'libs/client'), folder);
}

async function pack(source: string, folder: string): Promise<PackedService> {
  const answer = await runIn(
    source,
    'npm',
    'pack',
    '--ignore-scripts',
    '--json',
    '--pack-destination',
    folder,
  );
  const [{ filename, size, unpackedSize, files }] = JSON.parse(answer) as [
    { filename: string; size: number; unpackedSize: number; files: { path: string }[] },
  ];
  return {
    tarball: join(folder, filename),
    bytes: size,
    unpackedBytes: unpackedSize,
    files: files.map(({ path }) => path),
  };
}

/** Runs a program in the folder. @returns its standard output. @throws Error with both outputs where it fails. */
export async function runIn(folder: string, program: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder, env: environmentOfNobody(), maxBuffer: MAX_OUTPUT_BYTES };
  try {
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { stdout?: string; stderr?: string };
    throw new Error([message, stdout, stderr].join('\n'), { cause: error });
  }
}

/** Runs the program that a package of this repository brings, in another folder. */
export function runOurs(folder: string, script: string, ...args: string[]): Promise<string> {
  return runIn(folder, process.execPath, join(ROOT, 'node_modules', script), ...args);
}

/** What a person's shell would hold: nothing that npm or Jest tells its children, and no setting of the tests. */
function environmentOfNobody(): NodeJS.ProcessEnv {
  const isOfRun =
    /^(npm_(?!config_(cache|registry)$)|JEST_|TEST_|NODE_ENV$|NODE_OPTIONS$|NODE_TEST_CONTEXT$)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOfRun.test(name)));
}
