import { EchoedField } from './fields';

/** What every answer holds and no update changes: a client may send a record back as it got it. */
export class EchoedFields {
  @EchoedField()
  id?: unknown;

  @EchoedField()
  created_at?: unknown;

  @EchoedField()
  updated_at?: unknown;

  @EchoedField()
  revision?: unknown;

  @EchoedField()
  owner_account_id?: unknown;
}
