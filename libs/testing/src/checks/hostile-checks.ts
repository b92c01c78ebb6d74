import type { Answer } from '../api';
import { type Check, expectSame, expectTrue, type Subject } from '../check';
import { type Operation, readOperations } from '../document';
import { faultsOf } from '../failures';
import { BROKEN_JSON, HOSTILE_JSON, HOSTILE_NAMES, HOSTILE_SEGMENTS } from '../hostile-values';
import { parametersOf, type KindUnderTest, type Registry, urlOf } from '../record-kind';
import { aWorld, bodyOf, type World } from '../world';

const AT_ONCE = 8;
/** The URL parser of a client resolves the removed segments, so they never reach the service. */
const SEGMENTS = HOSTILE_SEGMENTS.filter((segment) => !['.', '..', '%2e%2e'].includes(segment));

interface HostileRequest {
  method: string;
  url: string;
  body?: string;
}

/** Returns the faults of an answer to any input, such as a 500 or a shape that is not in the contract. */
export function faultsOfAnswer(answer: Answer, codes?: Readonly<Record<string, number>>): string[] {
  const { status, headers, text, body } = answer;
  if (status === 304) return [];
  if (status === 204) return text === '' ? [] : ['204 with a body'];
  if (!(headers.get('content-type') ?? '').startsWith('application/json'))
    return [`${status} of another type`];
  if (status < 400) return [200, 201].includes(status) ? [] : [`status ${status}`];
  const mayFail = status < 500 || body.code === 'overloaded';
  return [...(mayFail ? [] : [`${status} ${body.code}`]), ...faultsOf(answer, codes)];
}

/**
 * For any input to the routes of a kind, the service never answers 500, and its errors
 * have the shape of the contract.
 */
export function hostileChecks(subject: Subject, kind: KindUnderTest, registry: Registry): Check[] {
  const belongs = ({ path }: Operation) => path.startsWith(kind.collection);
  const check = (
    name: string,
    requestsTo: (operation: Operation, world: World) => HostileRequest[],
  ): Check => ({
    name,
    timeoutMs: 120_000,
    run: async () => {
      const { api } = subject();
      const world = await aWorld(api, registry);
      const operations = (await readOperations(api)).filter(belongs);
      expectTrue(operations.length >= 3, `The document has hardly a route of a ${kind.name}.`);
      const requests = operations.flatMap((operation) => requestsTo(operation, world));
      expectTrue(requests.length > 20, `Only ${requests.length} requests were sent.`);
      const wrong: string[] = [];
      for (let at = 0; at < requests.length; at += AT_ONCE) {
        const some = requests.slice(at, at + AT_ONCE).map(async ({ method, url, body }) => {
          const faults = faultsOfAnswer(
            await api.call(method, url, body, { token: world.token }),
            registry.codes,
          );
          if (faults.length > 0) wrong.push(`${method} ${url} ${body?.slice(0, 200)}: ${faults.join(', ')}`);
        });
        await Promise.all(some);
      }
      expectSame(wrong, []);
      expectSame((await api.get('/readyz')).status, 200);
    },
  });
  return [
    check('no value in any field of a body makes a 500', (operation, world) => {
      const { method, path, body } = operation;
      const url = urlOf(path, world.ids);
      const valid = bodyOf(operation, world) ?? {};
      const texts = Object.keys(body?.properties ?? {}).flatMap((field) =>
        HOSTILE_JSON.map((value) => withMember(valid, field, value)),
      );
      return texts.map((text) => ({ method, url, body: text }));
    }),
    check('no name of a field and no body that is no object makes a 500', (operation, world) => {
      const { method, path, body } = operation;
      const url = urlOf(path, world.ids);
      if (!body) return [];
      const named = HOSTILE_NAMES.map((name) => withMember(bodyOf(operation, world)!, name, '{"x":1}'));
      return [...named, ...HOSTILE_JSON, ...BROKEN_JSON].map((text) => ({ method, url, body: text }));
    }),
    check('no id in a path and no parameter of a query makes a 500', (operation, world) => {
      const { method, path, parameters } = operation;
      const body = bodyOf(operation, world);
      const text = body && JSON.stringify(body);
      const inPath = parametersOf(path).flatMap((parameter) =>
        SEGMENTS.map((segment) => urlOf(path, { ...world.ids, [parameter]: MARK }).replace(MARK, segment)),
      );
      const inQuery = parameters
        .filter((parameter) => parameter.in === 'query')
        .flatMap(({ name }) => SEGMENTS.map((value) => `${urlOf(path, world.ids)}?${name}=${value}`));
      return [...inPath, ...inQuery].map((url) => ({ method, url, body: text }));
    }),
  ].map((each) => ({ ...each, name: `${each.name}: ${kind.name}` }));
}

/** Placeholder for a segment that must not be encoded. */
const MARK = 'the-hostile-segment';

/** Returns the source text of the object, with this member instead of its own member of the same name. */
function withMember(object: Record<string, unknown>, name: string, value: string): string {
  const others = JSON.stringify({ ...object, [name]: undefined }).slice(1, -1);
  return `{${[others, `${JSON.stringify(name)}:${value}`].filter((part) => part !== '').join(',')}}`;
}
