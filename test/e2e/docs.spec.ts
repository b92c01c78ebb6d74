import { expectFailure } from '@app/testing';
import { startService, type TestService } from '../support/service';

const PATHS = [
  '/api/docs',
  '/api/docs/',
  '/api/docs/index.html',
  '/api/docs/swagger-ui-init.js',
  '/api/docs/swagger-ui.css',
  '/api/docs-yaml',
  '/api/openapi.json',
];

/** Starts a service, runs the test, and stops the service. */
async function withService(
  environment: Record<string, string>,
  test: (service: TestService) => Promise<void>,
): Promise<void> {
  const service = await startService(environment);
  try {
    await test(service);
  } finally {
    await service.stop();
  }
}

describe('the documentation', () => {
  it('is served by default, and the home page leads to it', () =>
    withService({ WEB: 'off' }, async ({ api }) => {
      for (const path of PATHS) expect([path, (await api.get(path)).status]).toEqual([path, 200]);
      expect((await api.get('/')).text).toContain('api/docs');
    }));

  it('is nowhere with DOCS=off, and the home page does not lead to it', () =>
    withService({ WEB: 'off', DOCS: 'off' }, async ({ api }) => {
      for (const path of PATHS) expectFailure(await api.get(path), 'not_found');
      const { status, text } = await api.get('/');
      expect(status).toBe(200);
      expect(text).not.toMatch(/api\/docs|openapi/);
    }));

  it('lets Swagger UI keep no token in the browser', () =>
    withService({}, async ({ api }) => {
      const { text } = await api.get('/api/docs/swagger-ui-init.js');
      expect(text).toContain('"tryItOutEnabled"');
      expect(text).not.toContain('persistAuthorization');
    }));
});
