/**
 * Stands in for `docker` in tests of deploy/compose, where no container can run: it reads the Compose file as Docker would,
 * and runs what a container would run as a process of this machine, on the PostgreSQL servers that the test names. Images,
 * networks, limits and rights are not tried.
 *
 * STAND_IN names a folder: `servers.json` has the URL of the superuser for each major version, `calls` gets a line for each
 * call. Members of `state.json`: `major`, the server that runs; `api`, the process of the service, and its port.
 */
const { spawn, spawnSync } = require('node:child_process');
const {
  appendFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { basename, join, resolve } = require('node:path');
const { parse } = require('yaml');

const ROOT = join(__dirname, '../..');
const FOLDER = process.env.STAND_IN;
const START_MS = 60_000;

const stateFile = join(FOLDER, 'state.json');
const state = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {};
const keep = (changes) => writeFileSync(stateFile, JSON.stringify(Object.assign(state, changes)));
const servers = JSON.parse(readFileSync(join(FOLDER, 'servers.json'), 'utf8'));

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Takes the options off the front: those in `withValue` take the next word. */
function options(words, withValue) {
  const found = {};
  while (words[0]?.startsWith('-')) {
    const [name, value] = words.shift().split(/=(.*)/s);
    (found[name] ??= []).push(value ?? (withValue.includes(name) ? words.shift() : ''));
  }
  return found;
}

function composeFile(path, folder) {
  const text = existsSync(join(folder, '.env')) ? readFileSync(join(folder, '.env'), 'utf8') : '';
  const settings = Object.fromEntries(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(/=(.*)/s)),
  );
  const values = { ...settings, ...process.env };
  const filled = readFileSync(path, 'utf8').replace(
    /\$\{(\w+)(?::([-?+])([^}]*))?\}/g,
    (_, name, kind, text) => {
      if (values[name]) return kind === '+' ? text : values[name];
      if (kind === '?') fail(`${name} ${text}`);
      return kind === '-' ? text : '';
    },
  );
  return { ...parse(filled, { merge: true }), profiles: (values.COMPOSE_PROFILES ?? '').split(',') };
}

/** The path on this machine of a path in a container. */
function pathHere(path, folder, mounts) {
  for (const [from, to] of mounts)
    if (path === to || path.startsWith(`${to}/`)) return resolve(folder, from) + path.slice(to.length);
  return path;
}

function processOf(compose, folder, service, { env = [], volume = [] }, command) {
  const { volumes = [], secrets = [], environment = {}, entrypoint = [] } = compose.services[service];
  const mounts = [
    ...volume.map((each) => each.split(':')),
    ...secrets.map((name) => [compose.secrets[name].file, `/run/secrets/${name}`]),
    ...volumes.map((each) => each.split(':')).map(([from, to]) => [from.startsWith('.') ? from : FOLDER, to]),
  ];
  const here = (path) => pathHere(path, folder, mounts);
  const given = { ...environment, ...Object.fromEntries(env.map((pair) => pair.split(/=(.*)/s))) };
  const variables = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, here(String(value ?? ''))]),
  );
  if (variables.DATABASE_URL_FILE) {
    // The name of the container is no name of this machine.
    const { host } = new URL(servers[state.major] ?? fail('service "database" is not running'));
    const url = readFileSync(variables.DATABASE_URL_FILE, 'utf8').replace('@database:5432/', `@${host}/`);
    variables.DATABASE_URL_FILE = join(mkdtempSync(join(FOLDER, 'secret-')), 'database-url');
    writeFileSync(variables.DATABASE_URL_FILE, url);
  }
  const { PATH } = process.env;
  const runtime = {
    PATH,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PASSWORD_HASH_ITERATIONS: '210000',
    ...variables,
  };
  return { words: [...entrypoint, ...command].map(here), options: { cwd: ROOT, env: runtime } };
}

async function startApi(compose, folder) {
  stopApi();
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const made = processOf(compose, folder, 'api', {}, ['node', 'dist/apps/api/src/main.js']);
  const log = openSync(join(FOLDER, 'api.log'), 'a');
  const env = { ...made.options.env, PORT: String(port) };
  const child = spawn(made.words[0], made.words.slice(1), {
    ...made.options,
    env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  child.unref();
  keep({ api: child.pid, port, signups: env.SIGNUPS });
  const deadline = Date.now() + START_MS;
  while (
    !(await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > deadline) fail('container api is unhealthy');
    await new Promise((done) => setTimeout(done, 50));
  }
}

function stopApi() {
  if (!state.api) return;
  try {
    process.kill(state.api, 'SIGKILL');
  } catch {
    // It has ended already.
  }
  keep({ api: undefined });
}

const RUN = {
  version: () => undefined,
  build: () => undefined,
  pull: () => undefined,
  async up(compose, folder, words) {
    options(words, []);
    const byProfile = ({ profiles }) => !profiles || profiles.some((name) => compose.profiles.includes(name));
    const all = Object.keys(compose.services).filter((name) => byProfile(compose.services[name]));
    const wanted = words.length > 0 ? words : all;
    if (wanted.includes('database')) {
      const { image } = compose.services.database;
      const [, major] = /^postgres:(\d+)/.exec(image);
      keep({ major });
    }
    if (wanted.includes('api')) await startApi(compose, folder);
  },
  stop: (compose, folder, words) => words.includes('api') && stopApi(),
  start: (compose, folder, words) => words.includes('api') && startApi(compose, folder),
  exec(compose, folder, words) {
    options(words, []);
    words.shift();
    const url = new URL(servers[state.major] ?? fail('service "database" is not running'));
    const env = { ...process.env, PGHOST: url.hostname, PGPORT: url.port, PGPASSWORD: url.password };
    return spawnSync(words[0], words.slice(1), { env, stdio: 'inherit' }).status;
  },
  run(compose, folder, words) {
    const { '--env': env, '--volume': volume } = options(words, ['--env', '--volume']);
    const service = words.shift();
    const made = processOf(compose, folder, service, { env, volume }, words);
    return spawnSync(made.words[0], made.words.slice(1), { ...made.options, stdio: 'inherit' }).status;
  },
};

async function main(words) {
  appendFileSync(join(FOLDER, 'calls'), `${words.map((word) => basename(word)).join(' ')}\n`);
  if (words.shift() !== 'compose') return;
  const { '--file': [file] = [], '--project-directory': [folder] = [] } = options(words, [
    '--file',
    '--project-directory',
  ]);
  const command = words.shift();
  const status = await RUN[command](command === 'version' ? {} : composeFile(file, folder), folder, words);
  process.exit(status || 0);
}

void main(process.argv.slice(2));
