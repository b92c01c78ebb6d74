import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Caller } from '@app/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestBudgets } from './request-budgets';

/** Global, after the access-token guard: admits a request within the budgets of its account and address. */
@Injectable()
export class RequestBudgetGuard implements CanActivate {
  constructor(private readonly budgets: RequestBudgets) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & { user?: Caller }>();
    const weight = request.routeOptions.config.facts?.weight ?? 1;
    const wait = this.budgets.admit(
      request,
      http.getResponse<FastifyReply>(),
      request.user?.accountId,
      weight,
    );
    return wait === undefined || wait.then(() => true);
  }
}
