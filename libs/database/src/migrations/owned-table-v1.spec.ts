import { ExtensionError } from '@app/common';
import { createOwnedTableV1, type OwnedTableV1, ownedTableV1 } from './owned-table-v1';

const NOTES: OwnedTableV1 = {
  name: 'notes',
  kind: 'note',
  parent: { table: 'profiles', column: 'profile_id' },
  columns: { encrypted_data: 'text NOT NULL', title: 'text' },
  clientBytes: ['encrypted_data', 'title'],
};

/**
 * Existing installations have tables from this SQL. A change here changes the meaning of an old migration.
 * Write a V2 instead.
 */
const SQL_OF_NOTES = `CREATE TABLE public.notes (
  account_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  idempotency_key bytea,
  idempotency_body bytea,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  profile_id uuid NOT NULL,
  encrypted_data text NOT NULL,
  title text,
  CONSTRAINT notes_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT notes_profile_fkey FOREIGN KEY (account_id, profile_id) REFERENCES public.profiles (account_id, id) ON DELETE CASCADE
);
CREATE INDEX notes_by_age ON public.notes (account_id, created_at, id);
CREATE INDEX notes_of_profile ON public.notes (account_id, profile_id, created_at, id);
CREATE UNIQUE INDEX notes_idempotency ON public.notes (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE OR REPLACE FUNCTION public.count_notes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    WITH usage AS (
      INSERT INTO public.account_usage AS u (account_id, records, bytes, last_change)
        SELECT account_id, count(*), sum(coalesce(octet_length(encrypted_data), 0) + coalesce(octet_length(title), 0)), count(*) FROM new_rows GROUP BY account_id
        ON CONFLICT (account_id) DO UPDATE
        SET records = u.records + excluded.records, bytes = u.bytes + excluded.bytes,
          last_change = u.last_change + excluded.last_change
        RETURNING account_id, last_change
    )
    INSERT INTO public.changes AS c (account_id, kind, record_id, position, bytes)
      SELECT r.account_id, 'note', r.id, usage.last_change + 1 - row_number() OVER (PARTITION BY r.account_id ORDER BY r.id DESC), coalesce(octet_length(encrypted_data), 0) + coalesce(octet_length(title), 0)
      FROM new_rows r JOIN usage ON usage.account_id = r.account_id
      ON CONFLICT (account_id, kind, record_id) DO UPDATE
      SET position = excluded.position, bytes = excluded.bytes, deleted_at = NULL;
  ELSIF TG_OP = 'DELETE' THEN
    WITH usage AS (
      UPDATE public.account_usage u SET records = u.records - gone.records, bytes = u.bytes - gone.bytes,
          last_change = u.last_change + gone.records
        FROM (SELECT account_id, count(*) AS records, sum(coalesce(octet_length(encrypted_data), 0) + coalesce(octet_length(title), 0)) AS bytes FROM old_rows GROUP BY account_id) gone
        WHERE u.account_id = gone.account_id
        RETURNING u.account_id, u.last_change
    )
    UPDATE public.changes c SET position = gone.position, bytes = 0, deleted_at = now()
      FROM (
        SELECT r.account_id, r.id, usage.last_change + 1 - row_number() OVER (PARTITION BY r.account_id ORDER BY r.id DESC) AS position
        FROM old_rows r JOIN usage ON usage.account_id = r.account_id
      ) gone
      WHERE c.account_id = gone.account_id AND c.kind = 'note' AND c.record_id = gone.id;
  ELSE
    -- A row whose revision stays is no change of the record: the service has only forgotten an idempotency key.
    WITH updated AS (
      SELECT r.account_id, r.id, r.revision <> o.of_revision AS is_change,
          coalesce(octet_length(encrypted_data), 0) + coalesce(octet_length(title), 0) AS bytes, o.bytes_before
        FROM new_rows r JOIN (
          SELECT account_id AS of_account, id AS of_id, revision AS of_revision, coalesce(octet_length(encrypted_data), 0) + coalesce(octet_length(title), 0) AS bytes_before
          FROM old_rows
        ) o ON o.of_account = r.account_id AND o.of_id = r.id
    ), usage AS (
      UPDATE public.account_usage u SET bytes = u.bytes + grown.bytes, last_change = u.last_change + grown.changes
        FROM (
          SELECT account_id, sum(bytes - bytes_before) AS bytes, count(*) FILTER (WHERE is_change) AS changes
          FROM updated GROUP BY account_id
        ) grown
        WHERE u.account_id = grown.account_id AND (grown.changes > 0 OR grown.bytes <> 0)
        RETURNING u.account_id, u.last_change
    )
    UPDATE public.changes c SET position = moved.position, bytes = moved.bytes
      FROM (
        SELECT r.account_id, r.id, usage.last_change + 1 - row_number() OVER (PARTITION BY r.account_id ORDER BY r.id DESC) AS position, r.bytes
        FROM updated r JOIN usage ON usage.account_id = r.account_id
        WHERE r.is_change
      ) moved
      WHERE c.account_id = moved.account_id AND c.kind = 'note' AND c.record_id = moved.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER notes_inserted AFTER INSERT ON public.notes REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION public.count_notes();
CREATE TRIGGER notes_deleted AFTER DELETE ON public.notes REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION public.count_notes();
CREATE TRIGGER notes_updated AFTER UPDATE ON public.notes REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION public.count_notes();`;

const sqlOf = (table: OwnedTableV1, partitions = 0) =>
  createOwnedTableV1(table, { schema: 'public', partitions });

describe('ownedTableV1', () => {
  it('makes for ever what it made once', () => {
    expect(sqlOf(NOTES)).toBe(SQL_OF_NOTES);
  });

  it('makes hash partitions where the other tables have some', () => {
    const [first, second, third] = sqlOf(NOTES, 2).split(';\n');
    expect(first).toMatch(/\n\) PARTITION BY HASH \(account_id\)$/);
    expect([second, third]).toEqual(
      [0, 1].map(
        (remainder) =>
          `CREATE TABLE public.notes_${remainder} PARTITION OF public.notes FOR VALUES WITH (MODULUS 2, REMAINDER ${remainder})`,
      ),
    );
  });

  it('makes a table that hangs on the account, never changes, and has an order of its own', () => {
    const text = sqlOf({
      name: 'marks',
      kind: 'mark',
      columns: { set_at: 'timestamptz(3)' },
      orderBy: 'set_at',
      revised: false,
    });
    expect(text).not.toMatch(/revision integer|updated_at|marks_of_/);
    expect(text).toContain(
      'CONSTRAINT marks_account_fkey FOREIGN KEY (account_id) REFERENCES public.accounts (id) ON DELETE CASCADE',
    );
    expect(text).toContain('CREATE INDEX marks_by_time ON public.marks (account_id, set_at, id);');
    expect(text).toContain('sum(0)');
    expect(text).toContain('false AS is_change');
  });

  it.each([
    [{ ...NOTES, name: 'Notes' }, 'The migration of Notes has a name that cannot be used: Notes.'],
    [{ ...NOTES, name: 'n'.repeat(41) }, 'has a name that cannot be used'],
    [{ ...NOTES, columns: { 'title; DROP': 'text' } }, 'cannot be used: title; DROP.'],
    [{ ...NOTES, clientBytes: ['text'] }, 'The migration of notes has no column text.'],
    [{ ...NOTES, orderBy: 'noted_at' }, 'The migration of notes has no column noted_at.'],
  ])('refuses a description that makes no sense: %j', (table, sentence) => {
    expect(() => ownedTableV1(table)).toThrow(ExtensionError);
    expect(() => ownedTableV1(table)).toThrow(sentence);
  });
});
