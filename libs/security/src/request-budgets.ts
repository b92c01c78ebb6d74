import type { Socket } from 'node:net';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Queue, type QueueKey } from '@app/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from './rate-limits/network';

/** What all addresses ask for together takes so many times its weight: about eight requests run at a time. */
const CROWD_FACTOR = 4;
/**
 * So long each of these eight keeps its slots at least: 400 of them run in a second, however fast they are asked for. Without
 * it, thousands of addresses that ask again at once use a whole processor. Sign-ins need less: their hashes take longer.
 */
const CROWD_TURN_MS = 20;
/** If a client disconnects, its work counts until it ends, but not longer than this. */
const MAX_WORK_MS = 60_000;

/** The admitted requests of a connection: a client may send requests before it reads the answers to earlier ones. */
const admittedOf = new WeakMap<Socket, Set<AdmittedRequest>>();

/** Set by the budgets. */
interface AdmittedReply extends FastifyReply {
  admitted?: AdmittedRequest;
}

/**
 * Gives each account and each address a share of this process, so that no client slows down another one.
 * Requests beyond the share wait in the queue of their own account or address.
 *
 * A request counts from its admission until its work has ended and its answer has left, or the connection
 * is closed.
 */
@Injectable()
export class RequestBudgets implements OnModuleInit {
  private readonly callers = new Queue('account-requests');
  private readonly addresses = new Queue('address-requests');

  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onSend', (_request, reply: AdmittedReply, payload, done) => {
      reply.admitted?.endWork();
      done(null, payload);
    });
  }

  /** The number of requests that wait for their budget. */
  get waiting(): number {
    return this.callers.waiting + this.addresses.waiting;
  }

  /** The number of accounts and addresses with requests in flight. */
  get busy(): number {
    return this.callers.keys + this.addresses.keys;
  }

  /**
   * Admits a request. Call it once for each request, as soon as the caller is known.
   *
   * @param accountId absent for a request without a token.
   * @param weight units; see `WEIGHTS`. 0 is always admitted.
   * @param crowd what all addresses ask for together: they share the slots of one address, and their networks take turns.
   * @returns `undefined` if there is room, else a promise that resolves when there is. It rejects with
   *   ServiceError `overloaded` if the wait is too long, and `rate_limited` if too many requests wait already.
   */
  admit(
    request: FastifyRequest,
    reply: FastifyReply,
    accountId: string | undefined,
    weight: number,
    crowd?: string,
  ): Promise<void> | undefined {
    if (weight === 0) return undefined;
    const network = networkOf(request.ip);
    const address: QueueKey = crowd === undefined ? network : [`all addresses: ${crowd}`, network];
    const ofAddress = crowd === undefined ? weight : CROWD_FACTOR * weight;
    const leave = (ended: AdmittedRequest) => this.leave(ended);
    const turnMs = crowd === undefined ? 0 : CROWD_TURN_MS;
    const admitted = new AdmittedRequest(accountId ?? network, address, weight, ofAddress, turnMs, leave);
    const wait = this.callers.take(admitted.caller, weight);
    if (wait === undefined) return this.admitAddress(request, reply, admitted);
    return wait.then(() => this.admitAddress(request, reply, admitted));
  }

  private admitAddress(
    request: FastifyRequest,
    reply: AdmittedReply,
    admitted: AdmittedRequest,
  ): Promise<void> | undefined {
    const { caller, address, weight, ofAddress } = admitted;
    const wait = this.addresses.take(address, ofAddress);
    if (wait === undefined) return begin(request, reply, admitted);
    return wait.then(
      () => begin(request, reply, admitted),
      (refusal: unknown) => {
        this.callers.leave(caller, weight);
        throw refusal;
      },
    );
  }

  private leave({ caller, address, weight, ofAddress, restOfTurnMs }: AdmittedRequest): void {
    this.callers.leave(caller, weight);
    if (restOfTurnMs <= 0) this.addresses.leave(address, ofAddress);
    else setTimeout(() => this.addresses.leave(address, ofAddress), restOfTurnMs).unref();
  }
}

/** A request in flight. */
class AdmittedRequest {
  private isWorkEnded = false;
  private isConnectionDone = false;
  private isOver = false;
  private timer: NodeJS.Timeout | undefined;
  private begunAt = 0;

  /** @param turnMs how long it keeps the slots of its address at least. */
  constructor(
    readonly caller: string,
    readonly address: QueueKey,
    readonly weight: number,
    readonly ofAddress: number,
    private readonly turnMs: number,
    private readonly leave: (admitted: AdmittedRequest) => void,
  ) {}

  begin(): void {
    if (this.turnMs > 0) this.begunAt = performance.now();
  }

  get restOfTurnMs(): number {
    return this.turnMs > 0 ? this.begunAt + this.turnMs - performance.now() : 0;
  }

  /** The answer is complete, or streams from now on. */
  endWork(): void {
    this.isWorkEnded = true;
    if (this.isConnectionDone) this.end();
  }

  /** The answer was sent, or its connection is closed. */
  endConnection(): void {
    if (this.isConnectionDone) return;
    this.isConnectionDone = true;
    if (this.isWorkEnded) this.end();
    else this.timer = setTimeout(() => this.end(), MAX_WORK_MS).unref();
  }

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.leave(this);
  }
}

function begin(request: FastifyRequest, reply: AdmittedReply, admitted: AdmittedRequest): undefined {
  const { socket } = request.raw;
  admitted.begin();
  reply.admitted = admitted;
  let open = admittedOf.get(socket);
  if (open === undefined) {
    open = new Set();
    admittedOf.set(socket, open);
    // An answer that waits for its turn on a closed connection has no 'close' event.
    const ofSocket = open;
    socket.once('close', () => ofSocket.forEach((each) => each.endConnection()));
  }
  open.add(admitted);
  reply.raw.once('close', () => {
    open.delete(admitted);
    admitted.endConnection();
  });
  // The client left while the request waited.
  if (socket.destroyed) admitted.endConnection();
}
