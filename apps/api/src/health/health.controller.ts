import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { LimitByAddress, Public, Unlimited } from '@app/http';
import { LOCAL_POLICIES } from '@app/security';
import { HealthService, type HealthStatus, type ReadyStatus } from './health.service';

/** For orchestrators. Outside the prefix `/api`. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** The process runs. */
  @Public()
  @Unlimited()
  @Get('healthz')
  alive(): HealthStatus {
    return { status: 'ok' };
  }

  /** The database answers, its migrations are current, and the service is not shutting down. */
  @Public()
  @LimitByAddress(LOCAL_POLICIES.readyz)
  @Get('readyz')
  ready(): Promise<ReadyStatus> {
    return this.health.ready();
  }
}
