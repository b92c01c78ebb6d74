/**
 * `COPY … FROM STDIN` on a connection of `pg`, which has the messages but no query for them.
 *
 * @param chunks the bytes to send; asked for no faster than the server takes them.
 */
export function copyIn(client, text, chunks) {
  return new Promise((resolve, reject) => client.query(new CopyIn(text, chunks, resolve, reject)));
}

class CopyIn {
  constructor(text, chunks, resolve, reject) {
    Object.assign(this, { text, chunks, resolve, reject, callback: () => undefined });
  }

  submit(connection) {
    connection.query(this.text);
  }

  handleCopyInResponse(connection) {
    void this.send(connection).catch((error) => {
      this.failure = error;
      connection.sendCopyFail('The rows could not be made.');
    });
  }

  handleCommandComplete() {}

  handleReadyForQuery() {
    if (this.failure) this.reject(this.failure);
    else this.resolve();
  }

  handleError(error) {
    this.failure ??= error;
  }

  async send(connection) {
    const { stream } = connection;
    for (const chunk of this.chunks) {
      if (this.failure) return;
      connection.sendCopyFromChunk(chunk);
      if (stream.writableNeedDrain) await new Promise((resolve) => stream.once('drain', resolve));
    }
    connection.endCopyFrom();
  }
}
