import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Caller, ServiceError } from '@app/common';
import { ServiceConfig } from '@app/config';
import { Storage } from '@app/database';
import {
  discardBody,
  MAX_PUBLIC_BODY_BYTES,
  refusalOfBody,
  refusalOfFraming,
  refusalOfHost,
  type RouteFacts,
} from '@app/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AccessTokenVerifier } from './access-token-verifier';
import { networkOf } from './rate-limits/network';
import { LOCAL_POLICIES } from './rate-limits/policies';
import { RateLimits } from './rate-limits/rate-limits';
import { RequestBudgets } from './request-budgets';
import { StoredBytes } from './stored-bytes';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller that the access token names. Only on protected routes. */
    user?: Caller;
  }
}

type Done = (error?: Error) => void;

/**
 * Checks every request by its headers, before a byte of its body is read, in this order: framing, name
 * of the host, route, access token, room in the database, budget of requests in flight, rate limit, size and coding
 * of the body.
 *
 * Call it after `describeRoutes` and before the application listens. The error filter answers refused
 * requests, like every other failure.
 */
export function registerAdmission(app: NestFastifyApplication): void {
  const admission = new Admission(
    app.get(AccessTokenVerifier),
    app.get(RequestBudgets),
    app.get(RateLimits),
    app.get(Storage),
    app.get(StoredBytes),
    app.get(ServiceConfig).allowedHosts,
  );
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  fastify.decorateRequest('user', undefined);
  fastify.decorateRequest('inSpace', undefined);
  // Callbacks and no async function: a promise for each request would cost the fastest routes a tenth.
  fastify.addHook('onRequest', (request, reply, done) => admission.judge(request, reply, done));
  fastify.addHook('onResponse', (request, reply, done) => {
    admission.countStored(request, reply.statusCode);
    done();
  });
}

class Admission {
  constructor(
    private readonly tokens: AccessTokenVerifier,
    private readonly budgets: RequestBudgets,
    private readonly limits: RateLimits,
    private readonly storage: Storage,
    private readonly stored: StoredBytes,
    private readonly allowedHosts: string[] | undefined,
  ) {}

  judge(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    const refusal =
      refusalOfFraming(request.raw) ?? (this.allowedHosts && refusalOfHost(request.raw, this.allowedHosts));
    if (refusal) return refuse(request, refusal, done);
    const { facts } = request.routeOptions.config;
    if (facts === undefined || facts.isPublic) {
      if (request.is404) return this.refuseStranger(request, new ServiceError('not_found'), done);
      return this.admit(request, reply, facts, done);
    }
    request.user = this.tokens.find(request);
    if (request.user) return this.admit(request, reply, facts, done);
    this.tokens.verify(request, reply, (error, caller) => {
      if (!caller) return this.refuseStranger(request, error as Error, done);
      request.user = caller;
      this.admit(request, reply, facts, done);
    });
  }

  countStored({ routeOptions, ip, user, headers, bodyBytes }: FastifyRequest, status: number): void {
    if (routeOptions.config.facts?.stores !== true || status >= 300) return;
    const bytes = bodyBytes ?? Number(headers['content-length'] ?? 0);
    this.stored.count({ address: ip, accountId: user?.accountId }, bytes);
  }

  private admit(
    request: FastifyRequest,
    reply: FastifyReply,
    facts: RouteFacts | undefined,
    done: Done,
  ): void {
    let wait: Promise<void> | undefined;
    try {
      if (facts?.writes) this.storage.assertWritable();
      if (facts?.stores) {
        this.storage.assertRoom();
        this.stored.assertRoom({ address: request.ip, accountId: request.user?.accountId });
      }
      const { accountId } = request.user ?? {};
      wait = this.budgets.admit(request, reply, accountId, facts?.weight ?? 1, crowdOf(request, facts));
    } catch (error) {
      return refuse(request, error as Error, done);
    }
    if (wait === undefined) return this.limit(request, reply, facts, done);
    wait.then(
      () => this.limit(request, reply, facts, done),
      (error: Error) => refuse(request, error, done),
    );
  }

  private limit(
    request: FastifyRequest,
    reply: FastifyReply,
    facts: RouteFacts | undefined,
    done: Done,
  ): void {
    const policy = facts?.rateLimit;
    if (policy === 'none') return judgeBody(request, facts, done);
    const taken: Promise<Record<string, string> | void> = policy
      ? this.limits.takeFromAddress(policy, request.ip)
      : this.limits.takeFromAccount(request.user?.accountId ?? networkOf(request.ip));
    taken.then(
      (headers) => {
        if (headers) void reply.headers(headers);
        judgeBody(request, facts, done);
      },
      (error: Error) => refuse(request, error, done),
    );
  }

  /** Refuses a request without a valid token, or to no route. An address has a budget for these of its own. */
  private refuseStranger(request: FastifyRequest, error: Error, done: Done): void {
    this.limits.takeFromAddress(LOCAL_POLICIES.refused, request.ip).then(
      () => refuse(request, error, done),
      (limited: Error) => refuse(request, limited, done),
    );
  }
}

/**
 * Thousands of addresses may ask for what strangers can ask for. Each of them is within its budget, and all of them in one
 * turn of the event loop would hold up everybody else.
 */
function crowdOf({ user }: FastifyRequest, facts: RouteFacts | undefined): string | undefined {
  const policy = facts?.rateLimit;
  return user || !policy || policy === 'none' || policy.isLocal ? undefined : policy.name;
}

function judgeBody(request: FastifyRequest, facts: RouteFacts | undefined, done: Done): void {
  const refusal = refusalOfBody(request.raw, facts?.maxBodyBytes ?? MAX_PUBLIC_BODY_BYTES);
  if (refusal) refuse(request, refusal, done);
  else done();
}

function refuse(request: FastifyRequest, error: Error, done: Done): void {
  discardBody(request.raw, networkOf(request.ip));
  done(error);
}
