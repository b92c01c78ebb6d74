/**
 * A process that runs services for the test files of one Jest worker. Jest loads all modules again for each test file,
 * which takes two seconds of processor time for the service. This process loads them once.
 */
const { createServer } = require('node:http');
const { json } = require('node:stream/consumers');
const services = new Map();
let shared;

async function start({ environment, timeouts }) {
  require('./run-sources');
  const { startServiceHere } = require('./service-here.ts');
  const { app, ...service } = await startServiceHere(environment, timeouts);
  services.set(service.api.url, { ...service, app });
  return { url: service.api.url, databaseUrl: service.databaseUrl };
}

const ACTIONS = {
  '/start': start,
  '/shared': () => (shared ??= start({})),
  '/clock': (body) => {
    const { Clock } = require('../../libs/common/src/clock.ts');
    const clock = appOf(body).get(Clock, { strict: false });
    if (body.time) clock.now = () => new Date(body.time);
    else delete clock.now;
  },
  '/housekeeping': (body) => {
    const { Housekeeping } = require('../../libs/database/src/operations/housekeeping.ts');
    return appOf(body).get(Housekeeping).run();
  },
  '/stop': async ({ url }) => {
    await services.get(url).stop();
    services.delete(url);
  },
};

const appOf = ({ url }) => services.get(url).app;

const server = createServer(async (request, response) => {
  response.setHeader('Connection', 'close');
  try {
    response.end(JSON.stringify((await ACTIONS[request.url](await json(request))) ?? {}));
  } catch (error) {
    response.statusCode = 500;
    response.end(JSON.stringify({ message: error.message }));
  }
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
// The run has ended, or was killed.
process.on('disconnect', () => process.exit());
