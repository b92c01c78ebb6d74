/**
 * SQL that begins a new epoch and returns its id. It is the newest whatever the clock of the server says.
 */
export const BEGIN_EPOCH = `
  INSERT INTO epochs (id, started_at)
    SELECT left(replace(gen_random_uuid()::text, '-', ''), 12),
      greatest(now(), (SELECT max(started_at) FROM epochs) + interval '1 millisecond')
    RETURNING id`;
