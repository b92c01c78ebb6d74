import { request } from 'node:http';
import { expectFailure } from '@app/testing';
import { aRegistration } from '../support/factories';
import { type SharedService, sharedService } from '../support/service';

let service: SharedService;
beforeAll(async () => (service = await sharedService()));

/** The status and code for a path that is sent as it stands: `fetch` would tidy it up first. */
function outcomeOf(path: string): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    request(`${service.api.url}/`, { path }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => resolve([answer.statusCode!, (JSON.parse(text) as { code: string }).code]));
    })
      .on('error', reject)
      .end();
  });
}

describe('an answer', () => {
  it('is short, and quick, for a body of tens of thousands of unknown fields', async () => {
    const fields = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1]));
    const answer = await service.api.post('/api/auth/login', fields);
    expectFailure(answer, 'payload_too_large');
    expect(answer.text.length).toBeLessThan(20_000);
  });

  it('names a hundred unknown fields, each', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `k${index}`);
    const body = aRegistration(Object.fromEntries(names.map((name) => [name, 1])));
    expectFailure(await service.api.post('/api/auth/register', body), 'validation_failed', ...names);
  });

  it.each([
    '/api/docs/../../../../etc/passwd',
    '/api/docs/%2e%2e/%2e%2e/package.json',
    '/api/docs/..%2f..%2fpackage.json',
    '/api/docs/..%5c..%5cpackage.json',
    '/api/../api/users/me',
    '//api/users/me',
  ])('is a plain 404 for the path %s', async (path) => {
    expect(await outcomeOf(path)).toEqual([404, 'not_found']);
  });
});
