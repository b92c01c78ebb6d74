import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, sentenceOf, statusOf } from '@app/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The service's codes for the errors of Node's HTTP parser. Any other error is `malformed_request`. */
const CODE_BY_PARSER_ERROR: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
};

/** The log line of a refusal. */
export interface ClientErrorLine {
  request_id: string;
  route: 'none';
  status: number;
}

/**
 * Answers requests that the HTTP parser refuses, in the form of every other failure, and closes the connection.
 *
 * Node calls it with a socket and no request: for text that is not HTTP, headers that are too large, a body
 * that is framed wrongly, and a time-out.
 */
export class ClientErrors {
  /** The last request of each connection. */
  private readonly last = new WeakMap<Socket, FastifyReply>();

  /** @param headers the headers of every answer. */
  constructor(
    private readonly headers: Readonly<Record<string, string>>,
    private readonly log: (line: ClientErrorLine) => void,
  ) {}

  /** Call it for each request. */
  begin(request: FastifyRequest, reply: FastifyReply): void {
    this.last.set(request.socket, reply);
  }

  answer(error: Error & { code?: string }, socket: Socket): void {
    const code = CODE_BY_PARSER_ERROR[error.code ?? ''] ?? 'malformed_request';
    if (error.code === 'ECONNRESET' || !socket.writable || this.isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    const status = statusOf(code);
    const body = JSON.stringify({ error: sentenceOf(code), code, request_id: requestId });
    const headers = {
      ...this.headers,
      'X-Request-Id': requestId,
      Connection: 'close',
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    socket.destroySoon();
    this.log({ request_id: requestId, route: 'none', status });
  }

  /**
   * Whether the client waits for the answer to an earlier request, or receives one. The client would mistake
   * this answer for that one.
   */
  private isAnswering(socket: Socket): boolean {
    const reply = this.last.get(socket);
    if (reply === undefined || reply.raw.writableFinished) return false;
    return reply.request.raw.complete || reply.raw.headersSent;
  }
}
