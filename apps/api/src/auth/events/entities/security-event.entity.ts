import { OwnedEntity } from '@app/database';
import { Column, Entity, ForeignKey, Index } from 'typeorm';

export const SECURITY_EVENTS = [
  'registered',
  'login',
  'login_failed',
  'step_up_failed',
  'password_changed',
  'email_changed',
  'email_verified',
  'email_released',
  'erasure_planned',
  'erasure_stopped',
  'recovery_set_up',
  'recovery_failed',
  'recovery_used',
  'session_ended',
  'logged_out_everywhere',
  'token_reuse',
  'token_repeated',
  'device_remembered',
  'device_forgotten',
  'sign_in_added',
  'sign_in_removed',
  'passkey_added',
  'passkey_removed',
  'passkey_login',
  'erasure_asked',
  'operator_ended_sessions',
  'operator_exported',
  'operator_held',
  'operator_released',
  'operator_resumed',
  'operator_suspended',
  'second_step_on',
  'second_step_off',
  'second_step_failed',
  'keys_rotated',
] as const;

export type SecurityEventKind = (typeof SECURITY_EVENTS)[number];

/** An event that concerns the credentials of an account, for its owner. */
@Entity('security_events')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'security_events_account_fkey', onDelete: 'CASCADE' })
@Index('security_events_by_age', ['account_id', 'created_at', 'id'])
@Index('security_events_expiry', ['created_at'])
export class SecurityEventEntity extends OwnedEntity {
  @Column('text')
  kind: SecurityEventKind;

  /** Pseudonym of the client's address, if known; see `AddressPseudonyms`. */
  @Column('bytea', { nullable: true })
  origin: Buffer | null;

  /** How often it happened in the hour that began with it. More than one only for what a stranger can repeat. */
  @Column('integer', { default: 1 })
  count: number;
}
