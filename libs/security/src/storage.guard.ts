import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Storage } from '@app/database';
import type { FastifyRequest } from 'fastify';

/** Global: refuses requests that store something while the database has too little room. */
@Injectable()
export class StorageGuard implements CanActivate {
  constructor(private readonly storage: Storage) {}

  canActivate(context: ExecutionContext): boolean {
    const { config } = context.switchToHttp().getRequest<FastifyRequest>().routeOptions;
    if (config.facts?.stores) this.storage.assertRoom();
    return true;
  }
}
