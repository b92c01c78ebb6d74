import { sql } from './databases';
import { setClock, type TestService } from './service';

/**
 * The time of a service and of its database, which a test lets go on by days. Statements ask for `now()` without a schema:
 * in this database it is a function that adds what the test says.
 */
export class MovedClock {
  private constructor(
    private readonly service: TestService,
    private readonly databaseUrl: string,
  ) {}

  /** Before a service is connected to the database. */
  static async prepare(databaseUrl: string): Promise<void> {
    const database = new URL(databaseUrl).pathname.slice(1);
    await sql(databaseUrl, `CREATE TABLE public.moved_clock (ahead interval NOT NULL)`);
    await sql(databaseUrl, `INSERT INTO public.moved_clock VALUES ('0')`);
    await sql(
      databaseUrl,
      `CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql STABLE
        AS 'SELECT pg_catalog.now() + (SELECT ahead FROM public.moved_clock)'`,
    );
    await sql(databaseUrl, `ALTER DATABASE ${database} SET search_path = public, pg_catalog`);
  }

  static of(service: TestService, databaseUrl: string): MovedClock {
    return new MovedClock(service, databaseUrl);
  }

  /** @param ms ahead of the time of this machine. */
  async setAhead(ms: number): Promise<void> {
    await sql(this.databaseUrl, `UPDATE public.moved_clock SET ahead = $1 * interval '1 ms'`, [ms]);
    // It stands still: a little later than the devices, which go on.
    await setClock(this.service, new Date(Date.now() + ms + 10 * 60_000).toISOString());
  }
}
