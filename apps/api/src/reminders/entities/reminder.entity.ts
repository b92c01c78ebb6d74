import { OwnedEntity } from '@app/database';
import { Column, Entity, ForeignKey, Index } from 'typeorm';

/** How the occurrences of a reminder follow each other, in local time. */
export interface Repeat {
  /** `08:00`. */
  time: string;
  /** Dates from one to the next. */
  every_days?: number;
  /** As in cron: 0 is Sunday. */
  days_of_week?: number[];
}

/** What a device wants to be told, and when. The text is sealed by the device for itself. */
@Entity('reminders')
@ForeignKey('push_subscriptions', ['account_id', 'subscription_id'], ['account_id', 'id'], {
  name: 'reminders_subscription_fkey',
  onDelete: 'CASCADE',
})
@Index('reminders_due', ['send_at'])
export class ReminderEntity extends OwnedEntity {
  @Column('uuid')
  subscription_id: string;

  /** The same on each device that reminds of the same: answered on one, it is closed on the others. */
  @Column('uuid')
  slot_id: string;

  /** Sealed by the client. */
  @Column('text')
  text: string;

  /** The occurrence that is sent next, or that was sent and has no answer yet. */
  @Column({ type: 'timestamptz', precision: 3 })
  due_at: string;

  /** Minutes from `due_at` to the first message. */
  @Column('smallint')
  delay_minutes: number;

  /** `null`: once. */
  @Column('jsonb', { nullable: true })
  repeat: Repeat | null;

  @Column('text')
  time_zone: string;

  /** No occurrence is later. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  ends_at: string | null;

  /** Minutes between the messages of one occurrence, until it is answered. */
  @Column('smallint')
  nag_minutes: number;

  /** How many more messages one occurrence may have. */
  @Column('smallint')
  nag_times: number;

  /** When the next message is due. `null`: there is none any more. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  message_at: string | null;

  /** When a process looks at the reminder next: `message_at`, or later after a failure and while one sends it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  send_at: string | null;

  /** Messages of the occurrence `due_at` that were sent. */
  @Column('smallint')
  sent: number;

  /** The occurrence that the device shows. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  shown_due_at: string | null;

  /** Whether the next message says that another device has answered what this one shows. */
  @Column('boolean')
  is_closing: boolean;
}
