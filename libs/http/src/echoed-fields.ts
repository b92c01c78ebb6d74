import { EchoedField } from './fields';

/** Fields of every answer that no update changes. A client may therefore send a record back unchanged. */
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
