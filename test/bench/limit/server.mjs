/**
 * The limit: the least code that still does what the service promises for five requests on `health-stats`.
 *
 * Bare Fastify, fast-jwt, `pg`; one prepared statement a request, which checks owner and token version in a join; the
 * body of the answer is the service's, byte for byte (the bench asserts it). What it leaves out: paging, revisions,
 * idempotency, quotas, limits, security headers, request ids, exact error answers.
 *
 * `LIMIT_FORM`: `pooled` has as many connections in its pool as the service in all; `pipelined` has a few on which `pg`
 * pipelines, with a corked socket, and gives each statement to the least busy one; `nest` is `pipelined` with its two reads
 * in a Nest application that has one controller and one guard, and tells what the framework alone costs.
 *
 * The token's key is prepared once, timestamps are cut from the driver's text instead of passing through `Date`, a token that
 * was verified is remembered, the planner has the same settings, lists are one `JSON.stringify`.
 * The blob is parsed and stringified again, since that is what `JSON.stringify` of an answer means: the column is the
 * service's own `text`; as `json` or `jsonb` the driver would call the same `JSON.parse`.
 */
import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { Controller, Get, Module, Req, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import Fastify from 'fastify';
import { createVerifier } from 'fast-jwt';
import pg from 'pg';

const POOLED = 20;
const PIPELINED = 4;

// `2026-11-20 12:45:00.5+00` → `2026-11-20T12:45:00.500Z`; the sessions are in UTC.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => {
  const milliseconds = text.slice(20, -3).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
});

const database = {
  connectionString: process.env.DATABASE_URL,
  options: '-c TimeZone=UTC -c random_page_cost=1 -c plan_cache_mode=force_generic_plan',
};
const form = process.env.LIMIT_FORM;
const query = form === 'pooled' ? pooled() : await pipelined();

function pooled() {
  const pool = new pg.Pool({ ...database, max: POOLED });
  return (config) => pool.query(config);
}

async function pipelined() {
  const lines = Array.from({ length: PIPELINED }, () => ({ socket: new Socket(), load: 0, isCorked: false }));
  for (const line of lines) {
    line.client = new pg.Client({ ...database, pipeline: true, stream: () => line.socket });
    await line.client.connect();
  }
  return async (config) => {
    const line = lines.reduce((best, each) => (each.load < best.load ? each : best));
    line.load++;
    if (!line.isCorked) {
      line.isCorked = true;
      line.socket.cork();
      setImmediate(() => {
        line.isCorked = false;
        line.socket.uncork();
      });
    }
    try {
      return await line.client.query(config);
    } finally {
      line.load--;
    }
  };
}

const verify = createVerifier({
  key: process.env.JWT_SECRET,
  algorithms: ['HS256'],
  checkTyp: 'at+jwt',
  cache: true,
});

const COLUMNS = 'r.id, r.profile_id, r.encrypted_data, r.recorded_at, r.created_at, r.updated_at, r.revision';

const FIND = {
  name: 'find',
  text: `SELECT ${COLUMNS} FROM accounts a JOIN health_stats r ON r.account_id = a.id
    WHERE a.id = $1 AND a.token_version = $2 AND r.id = $3`,
};
const LIST = {
  name: 'list',
  text: `SELECT ${COLUMNS} FROM accounts a JOIN health_stats r ON r.account_id = a.id
    WHERE a.id = $1 AND a.token_version = $2 ORDER BY r.recorded_at DESC, r.id DESC`,
};
const CREATE = {
  name: 'create',
  text: `INSERT INTO health_stats AS r (account_id, id, profile_id, encrypted_data, recorded_at)
    SELECT a.id, $3, p.id, $5, coalesce($6::timestamptz, now())
    FROM accounts a JOIN profiles p ON p.account_id = a.id AND p.id = $4
    WHERE a.id = $1 AND a.token_version = $2 RETURNING ${COLUMNS}`,
};
const UPDATE = {
  name: 'update',
  text: `UPDATE health_stats r SET encrypted_data = $4, revision = r.revision + 1, updated_at = now()
    FROM accounts a WHERE a.id = $1 AND a.token_version = $2 AND r.account_id = a.id AND r.id = $3
    RETURNING ${COLUMNS}`,
};

const BLOB = { type: ['object', 'string'] };
const CREATE_BODY = {
  type: 'object',
  required: ['profile_id', 'encrypted_data'],
  properties: {
    profile_id: { type: 'string', format: 'uuid' },
    encrypted_data: BLOB,
    recorded_at: { type: 'string', format: 'date-time' },
  },
  additionalProperties: false,
};
const UPDATE_BODY = {
  type: 'object',
  required: ['encrypted_data'],
  properties: { encrypted_data: BLOB },
  additionalProperties: false,
};

const callerOf = (request) => verify(request.headers.authorization.slice('Bearer '.length));

async function run(statement, request, ...values) {
  const caller = request.caller ?? callerOf(request);
  const { rows } = await query({ ...statement, values: [caller.sub, caller.token_version, ...values] });
  for (const row of rows) row.encrypted_data = JSON.parse(row.encrypted_data);
  return rows;
}

function one(reply, rows) {
  return rows[0] ?? reply.code(404).send({ error: 'Not found.' });
}

const PORT = Number(process.env.PORT);
const HOST = '127.0.0.1';
await (form === 'nest' ? nest() : bare());

async function bare() {
  const app = Fastify();
  app.get('/readyz', async () => ({ status: 'ready' }));

  app.get('/api/health-stats/:id', async (request, reply) =>
    one(reply, await run(FIND, request, request.params.id)),
  );

  app.get('/api/health-stats', (request) => run(LIST, request));

  app.post('/api/health-stats', { schema: { body: CREATE_BODY } }, async (request, reply) => {
    const { profile_id, encrypted_data, recorded_at } = request.body;
    const values = [randomUUID(), profile_id, JSON.stringify(encrypted_data), recorded_at];
    return one(reply.code(201), await run(CREATE, request, ...values));
  });

  app.put('/api/health-stats/:id', { schema: { body: UPDATE_BODY } }, async (request, reply) =>
    one(reply, await run(UPDATE, request, request.params.id, JSON.stringify(request.body.encrypted_data))),
  );

  await app.listen({ port: PORT, host: HOST });
}

async function nest() {
  class Guard {
    canActivate(context) {
      const request = context.switchToHttp().getRequest();
      request.caller = callerOf(request);
      return true;
    }
  }
  class HealthStats {
    async get(request) {
      return (await run(FIND, request, request.params.id))[0];
    }
    list(request) {
      return run(LIST, request);
    }
    ready() {
      return { status: 'ready' };
    }
  }
  const { prototype } = HealthStats;
  const route = (name, path, ...decorators) => {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
    for (const decorate of [Get(path), ...decorators]) decorate(prototype, name, descriptor);
    Req()(prototype, name, 0);
  };
  route('get', 'api/health-stats/:id', UseGuards(Guard));
  route('list', 'api/health-stats', UseGuards(Guard));
  route('ready', 'readyz');
  Controller()(HealthStats);
  class App {}
  Module({ controllers: [HealthStats], providers: [Guard] })(App);
  const app = await NestFactory.create(App, new FastifyAdapter(), { logger: false });
  await app.listen(PORT, HOST);
}
