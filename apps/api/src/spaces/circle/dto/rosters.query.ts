import { ReadField } from '@app/http';

export class RostersQuery {
  @ReadField(
    { optional: true, description: 'Only rosters of a later version. Default 0.' },
    { name: 'version', rule: 'must be a whole number', read: readVersion },
    { type: 'integer', minimum: 0 },
  )
  after = 0;
}

function readVersion(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
