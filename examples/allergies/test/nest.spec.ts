import { serviceDataSource, type Extension } from 'health-records-service';
import { Clock } from 'health-records-service/common';
import { findSchemaFaults } from 'health-records-service/database';
import {
  type CanActivate,
  ConflictException,
  Controller,
  type ExecutionContext,
  Get,
  Header,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  UseGuards,
} from '@nestjs/common';
import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { aHousehold } from 'health-records-service/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DOMAINS } from '../src/domains';
import { REGISTRY } from './registry';
import { startService, stopServices, type TestService } from './service';

/** What a team does with Nest every day, as it is known from Nest. */
@Injectable()
class ClinicGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, unknown> }>();
    return headers['x-clinic'] !== undefined;
  }
}

@Controller('rooms')
@UseGuards(ClinicGuard)
class RoomsController {
  constructor(private readonly clock: Clock) {}

  @Get(':floor')
  @Header('X-Clinic-Round', 'morning')
  read(@Param('floor', ParseIntPipe) floor: number): { floor: number; at: string } {
    if (floor < 0) throw new ConflictException('The clinic has no cellar.');
    return { floor, at: this.clock.now().toISOString() };
  }
}

@Module({ controllers: [RoomsController] })
class RoomsModule {}

class AppointmentsByStatus1797000000000 implements MigrationInterface {
  readonly name = 'AppointmentsByStatus1797000000000';

  up(queryRunner: QueryRunner): Promise<void> {
    return queryRunner.query(
      'CREATE INDEX clinic_visits ON appointments (account_id, status)',
    ) as Promise<void>;
  }

  down(queryRunner: QueryRunner): Promise<void> {
    return queryRunner.query('DROP INDEX clinic_visits') as Promise<void>;
  }
}

class WholeSeconds extends Clock {
  override now(): Date {
    return new Date(Math.floor(super.now().getTime() / 1000) * 1000);
  }
}

const CLINIC: Extension = {
  modules: [RoomsModule],
  migrations: [AppointmentsByStatus1797000000000],
  corsHeaders: { allowed: ['X-Clinic'], exposed: ['X-Clinic-Round'] },
  overrides: [{ provide: Clock, with: () => new WholeSeconds() }],
};
const ORIGIN = 'https://clinic.example.org';

describe('Nest in a service of your own', () => {
  let service: TestService;
  let token: string;
  before(async () => {
    service = await startService({ CORS_ORIGINS: ORIGIN }, [...DOMAINS, CLINIC]);
    ({ token } = await aHousehold(service.api, REGISTRY));
  });
  after(stopServices);

  const read = (floor: string, headers: Record<string, string> = { 'X-Clinic': 'north' }) =>
    service.api.get(`/api/rooms/${floor}`, { token, headers });

  it('a guard, a pipe and an exception keep their statuses and sentences, behind the token', async () => {
    equal((await service.api.get('/api/rooms/1')).body.code, 'token_missing');
    const refused = await read('1', {});
    deepEqual([refused.status, refused.body.code], [403, 'http_403']);
    equal((await read('first')).status, 400);
    const conflict = await read('-1');
    deepEqual([conflict.status, conflict.body.error], [409, 'The clinic has no cellar.']);
    equal((await read('3')).body.floor, 3);
  });

  it('a part of the service is replaced, and injected', async () => {
    match((await read('3')).body.at, /:\d\d\.000Z$/);
  });

  it('a page of another origin sends and reads a header of its own', async () => {
    const preflight = { origin: ORIGIN, 'access-control-request-method': 'GET' };
    const asked = await service.api.call('OPTIONS', '/api/rooms/3', undefined, { headers: preflight });
    match(asked.headers.get('access-control-allow-headers')!, /, X-Clinic$/);
    const { headers } = await read('3', { 'X-Clinic': 'north', origin: ORIGIN });
    match(headers.get('access-control-expose-headers')!, /, X-Clinic-Round$/);
    equal(headers.get('x-clinic-round'), 'morning');
  });

  it('an index of your own on a table of the service is no drift, where it is named', async () => {
    process.env.DATABASE_URL = service.databaseUrl;
    const dataSource = await serviceDataSource([...DOMAINS, CLINIC]).initialize();
    const faults = [
      await findSchemaFaults(dataSource, ['clinic_visits']),
      await findSchemaFaults(dataSource, ['clinic_visits', 'no_such_index']),
    ];
    const drift = await findSchemaFaults(dataSource);
    await dataSource.destroy();
    deepEqual(faults, [[], ['There is no index no_such_index.']]);
    match(drift.join(), /DROP INDEX .*clinic_visits/);
  });
});
