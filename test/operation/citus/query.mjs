import { Client } from 'pg';

/** Runs one statement on a connection of its own. */
export async function query(url, text, values) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
