import { InvalidArgumentError } from '../errors';
import { requireKnownMembers, type NamesOf } from '../inputs';
import type { HttpAnswer, HttpRequest } from './http-transport';

/** A request of an application, with the session of the client. */
export type ServiceRequest = Pick<
  HttpRequest,
  | 'method'
  | 'path'
  | 'query'
  | 'body'
  | 'idempotencyKey'
  | 'ifMatch'
  | 'ifNoneMatch'
  | 'acceptLanguage'
  | 'space'
  | 'signal'
  | 'timeoutMs'
  | 'replayable'
>;

/** A successful answer. `body` is parsed JSON, `undefined` when it is empty. */
export type ServiceAnswer = Pick<HttpAnswer, 'status' | 'headers' | 'body'>;

const MEMBERS: NamesOf<ServiceRequest> = {
  method: true,
  path: true,
  query: true,
  body: true,
  idempotencyKey: true,
  ifMatch: true,
  ifNoneMatch: true,
  acceptLanguage: true,
  space: true,
  signal: true,
  timeoutMs: true,
  replayable: true,
};
const SEGMENTS = /^\/api(\/[A-Za-z0-9_~-]+([.][A-Za-z0-9_~-]+)*)+$/;

/**
 * Security: the token goes only to paths of this service that are written plainly. A `..` or an encoded slash in
 * an id from elsewhere could reach another route.
 * @throws InvalidArgumentError
 */
export function checkServiceRequest(request: ServiceRequest): ServiceRequest {
  requireKnownMembers(request, MEMBERS, 'The request');
  if (!['GET', 'POST', 'PUT', 'DELETE'].includes(request.method)) {
    throw new InvalidArgumentError('The method must be GET, POST, PUT or DELETE.');
  }
  if (typeof request.path !== 'string' || !SEGMENTS.test(request.path)) {
    throw new InvalidArgumentError(
      'The path must begin with /api/ and hold plain names and ids only. Parameters go into `query`.',
    );
  }
  return request;
}
