/**
 * Writes a Postman collection from an OpenAPI document. Bruno, Insomnia and Hoppscotch import it too. Requests
 * use the token and the ids of earlier answers.
 *
 *     node postman.mjs openapi.json collection.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import converter from 'openapi-to-postmanv2';

const OPTIONS = {
  folderStrategy: 'Tags',
  requestParametersResolution: 'Example',
  exampleParametersResolution: 'Example',
  alwaysInheritAuthentication: true,
  enableOptionalParameters: false,
};

/** Runs in Postman after each answer. The name of an id follows from the collection: `profiles`, `profile_id`. */
const REMEMBER = `const body = pm.response.code < 300 && pm.response.text() ? pm.response.json() : {};
const record = (Array.isArray(body) ? body[0] : body) || {};
for (const name of ['token', 'refresh_token']) if (body[name]) pm.collectionVariables.set(name, body[name]);
const collection = pm.request.url.path.filter((part) => !/^(:.*|[0-9a-f-]{36}|delete)$/.test(part)).pop();
const name = collection === 'log' ? 'dose_id' : collection.replace(/-/g, '_').replace(/s$/, '') + '_id';
const id = record.id || record.profile_id;
if (id && pm.collectionVariables.has(name)) pm.collectionVariables.set(name, id);`;

const [source, target] = process.argv.slice(2);
const collection = await convert(JSON.parse(readFileSync(source, 'utf8')));
for (const item of requestsOf(collection)) {
  // The document has the answers. With them the collection would be ten times as large.
  item.response = [];
  useVariables(item.request);
}
collection.auth = { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] };
collection.event = [{ listen: 'test', script: { type: 'text/javascript', exec: REMEMBER.split('\n') } }];
const names = [...JSON.stringify(collection).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
collection.variable = [...new Set(names)].map((key) => ({
  key,
  value: key === 'baseUrl' ? 'http://127.0.0.1:3000' : '',
}));
writeFileSync(target, `${JSON.stringify(collection, null, 2)}\n`);

function convert(data) {
  return new Promise((resolve, reject) =>
    converter.convert({ type: 'json', data }, OPTIONS, (error, result) => {
      if (error || !result.result) reject(error ?? new Error(result.reason));
      else resolve(result.output[0].data);
    }),
  );
}

/** The requests of all folders. */
function requestsOf({ item }) {
  return item.flatMap((each) => (each.item ? requestsOf(each) : [each]));
}

/** Puts variables in the place of the examples of ids and tokens. */
function useVariables({ url, body }) {
  for (const variable of url.variable ?? []) {
    const owner = url.path[url.path.indexOf(`:${variable.key}`) - 1].replace(/-/g, '_').replace(/s$/, '');
    variable.value = `{{${variable.key === 'id' ? `${owner}_id` : variable.key}}}`;
  }
  if (body?.raw)
    body.raw = body.raw
      .replace(/"(\w+_id)":(\s*)"[\da-f-]{36}"/g, '"$1":$2"{{$1}}"')
      // The required id of another's record is that of an invitation.
      .replace(/"id":(\s*)"[\da-f-]{36}"/g, '"id":$1"{{invitation_id}}"')
      .replace(/"refresh_token":(\s*)"[^"]*"/g, '"refresh_token":$1"{{refresh_token}}"');
}
