import {
  aHousehold as anyHousehold,
  type Api,
  type Household as AnyHousehold,
  SERVICE_KINDS,
  SERVICE_REGISTRY,
} from '@app/testing';

/** An account with a profile and a medication: what every kind of record of the service can be created under. */
export interface Household extends AnyHousehold {
  medicationId: string;
}

export async function aHousehold(api: Api): Promise<Household> {
  const household = await anyHousehold(api, SERVICE_REGISTRY);
  return { ...household, medicationId: household.ids['/api/medications/{id}'] };
}

/** The entry of this name. */
export function kindNamed(name: string) {
  const kind = SERVICE_KINDS.find((one) => one.name === name);
  if (!kind) throw new Error(`No kind of record is called ${name}.`);
  return kind;
}
