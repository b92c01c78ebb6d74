/** The peer: parse-server on the same PostgreSQL, with its defaults for production and as many connections as the service. */
import { ParseServer } from 'parse-server';

await ParseServer.startApp({
  appId: 'bench',
  masterKey: process.env.MASTER_KEY,
  databaseURI: `${process.env.DATABASE_URL}?poolSize=16`,
  serverURL: `http://127.0.0.1:${process.env.PORT}/parse`,
  mountPath: '/parse',
  host: '127.0.0.1',
  port: Number(process.env.PORT),
  allowClientClassCreation: false,
  silent: true,
  verbose: false,
  logLevel: 'error',
  logsFolder: null,
});
