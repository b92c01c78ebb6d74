import {
  aWorld,
  nameOf,
  type Operation,
  parametersOf,
  readOperations,
  readRouteTable,
  type Route,
  SERVICE_REGISTRY,
} from '@app/testing';
import { type ServiceHere, startServiceHere } from '../support/service-here';

/** Who may come in without a token. To open a route, add its name here, and say why in review. */
const PUBLIC = [
  'POST /api/auth/prelogin',
  'POST /api/auth/register',
  'POST /api/auth/login',
  'POST /api/auth/refresh',
  'POST /api/auth/logout',
  'GET /api/auth/recovery-info',
  'POST /api/auth/recovery-info',
  'POST /api/auth/recovery/verify',
  'POST /api/auth/recovery/reset-password',
  'POST /api/auth/email/verify',
  'POST /api/auth/email/release',
  'POST /api/auth/passkey/options',
  'POST /api/auth/passkey/login',
  'POST /api/auth/second-step',
  'POST /api/push/answers',
  'GET /api/interactions/knowledge-base',
];

/** Open as well, and not in the document: what serves the operator and the document itself. */
const PUBLIC_AND_UNDOCUMENTED = [
  'GET /',
  'GET /app/*',
  'GET /assets/*',
  'GET /manifest.webmanifest',
  'GET /service-worker.js',
  'GET /healthz',
  'GET /readyz',
  'GET /api/openapi.json',
  'GET /api/docs',
  'GET /api/docs-yaml',
  'GET /api/docs/',
  'GET /api/docs/*',
  'GET /api/docs/index.html',
  'GET /api/docs/LICENSE',
  'GET /api/docs/swagger-ui-init.js',
  'GET /api/docs/docs/*',
  'GET /api/docs/docs/swagger-ui-init.js',
];

/** What the specification says does not exist, or not by this method. */
const HIDDEN: [string, string][] = [
  ['GET', '/api/profiles/me'],
  ['PUT', '/api/profiles/me'],
  ['GET', '/api/health-stats/trends'],
  ['PUT', '/api/medications/{id}'],
  ['PATCH', '/api/medications/{id}'],
  ['DELETE', '/api/medications/{id}'],
  ['PUT', '/api/appointments/{id}'],
  ['DELETE', '/api/appointments/{id}'],
  ['PUT', '/api/medications'],
  ['DELETE', '/api/profiles'],
  ['DELETE', '/api/users/me'],
  ['GET', '/api/lab-results'],
  ['GET', '/api'],
  ['GET', '/metrics'],
  ['GET', '/profiles'],
];

describe('the routes', () => {
  let service: ServiceHere;
  let routes: Route[];
  let operations: Operation[];
  beforeAll(async () => {
    service = await startServiceHere();
    routes = readRouteTable(service.app);
    operations = await readOperations(service.api);
  });
  afterAll(() => service.stop());

  /** A HEAD comes with its GET. */
  const withoutHead = () => routes.filter(({ method }) => method !== 'HEAD').map(nameOf);

  it('are those of the document, and the document has no others', () => {
    expect(operations.length).toBeGreaterThan(40);
    expect(withoutHead().sort()).toEqual([...operations.map(nameOf), ...PUBLIC_AND_UNDOCUMENTED].sort());
  });

  it('are closed without a token but for a list of names', async () => {
    const open: string[] = [];
    for (const { method, path } of routes) {
      const { status, headers } = await service.api.call(method, path.replace(/\{\w+\}/g, 'any'));
      const isClosed = status === 401 && headers.get('www-authenticate') === 'Bearer';
      if (!isClosed) open.push(`${method.replace('HEAD', 'GET')} ${path}`);
    }
    expect([...new Set(open)].sort()).toEqual([...PUBLIC, ...PUBLIC_AND_UNDOCUMENTED].sort());
  });

  it('are documented as closed where they are', () => {
    const open = operations.filter(({ isProtected }) => !isProtected).map(nameOf);
    expect(open.sort()).toEqual([...PUBLIC].sort());
  });

  it.each(PUBLIC)('ignore an Authorization header: %s', async (name) => {
    const operation = operations.find((candidate) => nameOf(candidate) === name)!;
    const body = operation.method === 'GET' ? undefined : {};
    const plain = await service.api.call(operation.method, operation.path, body);
    for (const value of ['Bearer garbage', 'Bearer', 'Basic YTpi', '']) {
      const headers = { Authorization: value };
      const answer = await service.api.call(operation.method, operation.path, body, { headers });
      expect([value, answer.status, answer.body?.code]).toEqual([value, plain.status, plain.body?.code]);
    }
  });

  it.each(HIDDEN)('do not exist: %s %s', async (method, path) => {
    const world = await aWorld(service.api, SERVICE_REGISTRY);
    const url = parametersOf(path).length ? path.replace('{id}', world.ids[path]) : path;
    const { status, body } = await service.api.call(method, url, undefined, { token: world.token });
    expect([status, body.code]).toEqual([404, 'not_found']);
  });
});
