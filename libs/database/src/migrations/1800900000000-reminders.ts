import type { MigrationInterface, QueryRunner } from 'typeorm';
import { partitionsV1, placeV1 } from './owned-table-v1';

/** Browsers that take messages, and what they want to be told. Both end with the session. */
export class Reminders1800900000000 implements MigrationInterface {
  readonly name = 'Reminders1800900000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema, partitions } = await placeV1(queryRunner);
    await queryRunner.query(`
      CREATE TABLE ${schema}.push_subscriptions (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        session_id uuid NOT NULL,
        endpoint text NOT NULL,
        p256dh text NOT NULL,
        auth text NOT NULL,
        label text NOT NULL,
        last_sent_at timestamptz(3),
        failure text,
        CONSTRAINT push_subscriptions_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT push_subscriptions_session_fkey FOREIGN KEY (account_id, session_id)
          REFERENCES ${schema}.sessions (account_id, id) ON DELETE CASCADE
      )${partitionsV1(`${schema}.push_subscriptions`, partitions)}
      CREATE TABLE ${schema}.reminders (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        subscription_id uuid NOT NULL,
        slot_id uuid NOT NULL,
        text text NOT NULL,
        due_at timestamptz(3) NOT NULL,
        delay_minutes smallint NOT NULL,
        repeat jsonb,
        time_zone text NOT NULL,
        ends_at timestamptz(3),
        nag_minutes smallint NOT NULL,
        nag_times smallint NOT NULL,
        message_at timestamptz(3),
        send_at timestamptz(3),
        sent smallint NOT NULL,
        shown_due_at timestamptz(3),
        is_closing boolean NOT NULL,
        CONSTRAINT reminders_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT reminders_subscription_fkey FOREIGN KEY (account_id, subscription_id)
          REFERENCES ${schema}.push_subscriptions (account_id, id) ON DELETE CASCADE
      )${partitionsV1(`${schema}.reminders`, partitions)}
      CREATE INDEX reminders_due ON ${schema}.reminders (send_at);`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`DROP TABLE ${schema}.reminders, ${schema}.push_subscriptions`);
  }
}
