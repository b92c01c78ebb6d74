import { Client, type ClientConfig } from 'pg';

/** The URL of a database, or a function that returns it as of now: its user and password may change. */
export type DatabaseUrl = string | (() => string);

/** Options of a connection. `Client` makes it, as in the options of `pg`'s pool. */
export type ConnectionConfig = ClientConfig & { Client?: typeof Client };

/** The URL as of now. */
export function currentUrl(url: DatabaseUrl): string {
  return typeof url === 'string' ? url : url();
}

/** Makes a client with the options. It is not connected. */
export function newClient({ Client: Made = Client, ...config }: ConnectionConfig): Client {
  return new Made(config);
}

/** A class of clients that take the user and the password from `read` when they are made. */
export function clientThatReads(read: () => string): typeof Client {
  return class extends Client {
    constructor(config: ClientConfig) {
      super({ ...config, connectionString: withCredentialsOf(config.connectionString!, read()) });
    }
  };
}

const UP_TO_HOST = /^[a-z]+:\/\/(?:[^/?#]*@)?/;

function withCredentialsOf(url: string, other: string): string {
  return url.replace(UP_TO_HOST, () => UP_TO_HOST.exec(other)![0]);
}
