import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, Unlimited } from '@app/security';
import { HealthService } from './health.service';

/** For orchestrators; outside the `/api` prefix. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** The process is alive. */
  @Public()
  @Unlimited()
  @Get('healthz')
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** The database answers, its migrations are current, and the service is not on its way out. */
  @Public()
  @Unlimited()
  @Get('readyz')
  async ready(): Promise<{ status: 'ok' }> {
    await this.health.assertReady();
    return { status: 'ok' };
  }
}
