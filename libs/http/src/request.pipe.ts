import {
  type ArgumentMetadata,
  Injectable,
  type OnModuleInit,
  Optional,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { notFound, ServiceError, validationError } from '@app/common';
import { brokenRules, detailsOf, refusalOf } from './broken-rules';
import { checkParameter } from './request-parameter';
import { UnsupportedRequestError } from './request-plan';
import { RequestPlans } from './request-plans';
import { RequestReader } from './request-reader';
import { routeParameters } from './route-parameters';
import { ValidRequests } from './valid-requests';

/**
 * Converts bodies, queries and path parameters to objects of their DTO classes and validates them. A field
 * that is not in the DTO is refused by name, at any depth.
 *
 * If a decorator of class-validator or class-transformer is not supported, the service does not start; see
 * docs/validation.md.
 */
@Injectable()
export class RequestPipe implements PipeTransform, OnModuleInit {
  private readonly plans = new RequestPlans();
  private readonly valid = new ValidRequests();

  constructor(@Optional() private readonly modules?: ModulesContainer) {}

  /** @throws UnsupportedRequestError with every DTO and every route that has unsupported decorators. */
  onModuleInit(): void {
    const sentences = new Set<string>();
    for (const { route, metadata, isPiped } of routeParameters(this.modules ?? new ModulesContainer())) {
      // The pipe of a single path parameter is responsible for its value.
      if (metadata.type === 'param' && metadata.data !== undefined && isPiped) continue;
      const { dto, refusal } = checkParameter(metadata);
      if (refusal) sentences.add(`${route}: ${refusal}.`);
      if (dto) for (const sentence of this.refusalsOf(dto)) sentences.add(sentence);
    }
    if (sentences.size > 0) throw new UnsupportedRequestError([...sentences]);
  }

  /** @throws ServiceError `validation_failed`, `payload_too_large`; `not_found` for path parameters. */
  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { dto, refusal } = checkParameter(metadata);
    if (refusal) throw new UnsupportedRequestError([refusal]);
    if (!dto) return value;
    const reader = new RequestReader();
    try {
      const request = reader.read(this.plans.of(dto), fieldsOf(value));
      if (reader.details.length === 0 && this.accepts(dto, request)) return request;
      const broken = await brokenRules(request, this.plans);
      if (reader.details.length > 0) throw validationError([...reader.details, ...detailsOf(broken)]);
      if (broken.length > 0) throw refusalOf(broken);
      return request;
    } catch (error) {
      // A path that breaks its rules does not exist.
      const isPath = metadata.type === 'param' && error instanceof ServiceError && error.status < 500;
      throw isPath ? notFound() : error;
    }
  }

  /** If a rule throws, class-validator runs it again and reports the error. */
  private accepts(dto: Type<object>, request: object): boolean {
    try {
      return this.valid.accepts(dto, request);
    } catch {
      return false;
    }
  }

  private refusalsOf(dto: Type<object>): string[] {
    try {
      this.plans.of(dto);
      return [];
    } catch (error) {
      if (error instanceof UnsupportedRequestError) return error.sentences;
      throw error;
    }
  }
}

function fieldsOf(value: unknown): object {
  const fields = value ?? {};
  // `null` is a body but not an object.
  if (typeof fields !== 'object' || value === null || Array.isArray(fields))
    throw validationError([{ field: 'body', message: 'the request body must be a JSON object' }]);
  return fields;
}
