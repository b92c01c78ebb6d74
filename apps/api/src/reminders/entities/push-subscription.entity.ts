import { OwnedEntity } from '@app/database';
import { Column, Entity, ForeignKey } from 'typeorm';

/** Where a browser takes messages. It ends with its session. */
@Entity('push_subscriptions')
@ForeignKey('sessions', ['account_id', 'session_id'], ['account_id', 'id'], {
  name: 'push_subscriptions_session_fkey',
  onDelete: 'CASCADE',
})
export class PushSubscriptionEntity extends OwnedEntity {
  @Column('uuid')
  session_id: string;

  /** Of the push service of the browser; whoever knows it and holds our VAPID key can send. */
  @Column('text')
  endpoint: string;

  /** The public key of the browser, base64url. Source: RFC 8291. */
  @Column('text')
  p256dh: string;

  /** The secret of the browser for these messages, base64url. Source: RFC 8291. */
  @Column('text')
  auth: string;

  /** Plaintext. */
  @Column('text')
  label: string;

  /** When the push service last took a message. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_sent_at: string | null;

  /** Why the last message did not leave: a name from the source code. */
  @Column('text', { nullable: true })
  failure: string | null;
}
