import { type Api, aRecord, SERVICE_KINDS } from '@app/testing';
import { randomBytes } from 'node:crypto';
import { sql } from '../support/databases';
import { anAccount, anAppointment, aProfile } from '../support/factories';
import { aHousehold } from '../support/record-kinds';
import type { Secret } from '../support/traces';

/** How something could come to lie where it must not. */
const ENCODINGS: Record<string, (plain: Buffer) => string> = {
  'as it is': (plain) => plain.toString(),
  'in another case': (plain) => plain.toString().toUpperCase(),
  'in base64': (plain) => plain.toString('base64'),
  'in base64, one byte on': (plain) => Buffer.concat([Buffer.from('x'), plain]).toString('base64'),
  'in base64, two bytes on': (plain) => Buffer.concat([Buffer.from('xy'), plain]).toString('base64'),
  'in base64 of URLs': (plain) => plain.toString('base64url'),
  'in hex': (plain) => plain.toString('hex'),
  'in upper-case hex': (plain) => plain.toString('hex').toUpperCase(),
  'encoded as in a URL': (plain) => encodeURIComponent(plain.toString()),
  'in JSON': (plain) => JSON.stringify({ plain: plain.toString() }),
};

const FILES = ['the data files', 'the write-ahead log'];
const LOG = "PostgreSQL's log";

/** Something that was put where it must be found. */
export interface Control extends Secret {
  places: string[];
}

/** A client that forgets to encrypt: its records, in each encoding, in every place that PostgreSQL keeps. */
export async function plantRecords(api: Api): Promise<Control[]> {
  const { token } = await anAccount(api);
  const profileId = await aProfile(api, token);
  const controls = Object.entries(ENCODINGS).map(([what, encode]) => ({ ...aControl(what), encode }));
  // The write-ahead log is cut into pages, and what lies across an edge is not found there: not all three can.
  const thrice = [...controls, ...controls, ...controls];
  for (const { value, encode } of thrice)
    await anAppointment(api, token, profileId, { encrypted_data: encode(Buffer.from(value)) });
  const places = ['table public.appointments', ...FILES, LOG];
  return controls.map(({ what, value }) => ({ what, value, places }));
}

/** In the blob of each kind of record: what a client stores there lies in the kind's table and nowhere else. */
export async function plantKinds(api: Api): Promise<Control[]> {
  const controls: Control[] = [];
  for (const kind of SERVICE_KINDS.filter(({ blobField }) => blobField !== undefined)) {
    const household = await aHousehold(api);
    const control = aControl(`in a ${kind.name}`);
    const blob = { [kind.blobField!]: control.value };
    // Three times, for the edges of pages; see above.
    for (let copy = 0; copy < 3; copy++) await aRecord(api, kind, household, blob);
    controls.push({ ...control, places: [`table public.${kind.table}`, ...FILES, LOG] });
  }
  return controls;
}

/** Where the service has no field for it: bytes, an unlogged table, a partition of another schema. */
export async function plantRows(databaseUrl: string): Promise<Control[]> {
  const bytes = aControl('in a column of bytes');
  const unlogged = aControl('in an unlogged table');
  const partition = aControl('in a partition');
  const encoded = Buffer.from(Buffer.from(bytes.value).toString('base64'));
  await sql(
    databaseUrl,
    'INSERT INTO known_addresses (account_id, address) SELECT id, $1::bytea FROM accounts',
    [encoded],
  );
  await sql(databaseUrl, 'INSERT INTO rate_limits (key) VALUES ($1)', [unlogged.value]);
  await sql(databaseUrl, 'CREATE SCHEMA aside');
  await sql(databaseUrl, 'CREATE TABLE aside.notes (note text) PARTITION BY HASH (note)');
  await sql(
    databaseUrl,
    'CREATE TABLE aside.notes_0 PARTITION OF aside.notes FOR VALUES WITH (MODULUS 1, REMAINDER 0)',
  );
  await sql(databaseUrl, 'INSERT INTO aside.notes SELECT $1 FROM generate_series(1, 3)', [partition.value]);
  return [
    { ...bytes, places: ['table public.known_addresses', ...FILES] },
    { ...unlogged, places: ['table public.rate_limits', 'the data files', LOG] },
    { ...partition, places: ['table aside.notes_0', ...FILES, LOG] },
  ];
}

function aControl(what: string): { what: string; value: string } {
  return { what: `control ${what}`, value: `Grünfink/+ ${randomBytes(12).toString('hex')}` };
}
