import {
  BadGatewayException,
  Body,
  type CallHandler,
  type CanActivate,
  ConflictException,
  Controller,
  Get,
  HttpException,
  Module,
  type NestInterceptor,
  NotFoundException,
  Param,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  type PipeTransform,
  Post,
  Query,
  UnauthorizedException,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsInt } from 'class-validator';
import { map } from 'rxjs';
import { registerBodyParser } from './body-parser';
import { ErrorFilter } from '../answers/error.filter';
import { KnownQueryGuard } from './known-query.guard';
import { RequestPipe } from './request.pipe';
import { describeRoutes } from '../routes/route-facts';

class Never implements CanActivate {
  canActivate = () => false;
}
class Wrapped implements NestInterceptor {
  intercept = (_: unknown, next: CallHandler) => next.handle().pipe(map((value: unknown) => ({ value })));
}
class Trimmed implements PipeTransform {
  transform = (value: unknown) => (typeof value === 'string' ? value.trim() : value);
}
class Count {
  @IsInt() count: number;
}

const THROWN: Record<string, Error> = {
  conflict: new ConflictException('Two nurses have this shift.'),
  own: new HttpException({ code: 'shift_taken', message: 'This shift is taken.' }, 422),
  unauthorized: new UnauthorizedException(),
  missing: new NotFoundException('There is no such shift.'),
  gateway: new BadGatewayException('The pharmacy does not answer.', { cause: new TypeError('secret') }),
  unknown: new TypeError('secret'),
};

@Controller('team')
class TeamController {
  @Get('throws/:which')
  throws(@Param('which') which: string) {
    throw THROWN[which];
  }

  @UseGuards(Never)
  @Get('guarded')
  guarded() {}

  @UseInterceptors(Wrapped)
  @Get('int/:n')
  int(@Param('n', ParseIntPipe) n: number) {
    return n;
  }

  @Get('uuid/:id')
  uuid(@Param('id', ParseUUIDPipe) id: string) {
    return { id };
  }

  @Get('parsed')
  parsed(@Query('page', ParseIntPipe) page: number, @Query('all', ParseBoolPipe) all: boolean) {
    return { page, all };
  }

  @Post('list')
  list(@Body(new ParseArrayPipe({ items: Count })) counts: Count[]) {
    return { isCount: counts[0] instanceof Count };
  }

  @UsePipes(new ValidationPipe())
  @Post('twice')
  twice(@Body() { count }: Count) {
    return { count };
  }

  @Get('text/:text')
  text(@Param('text') text: string) {
    return { text };
  }
}

@Module({
  imports: [DiscoveryModule],
  controllers: [TeamController],
  providers: [
    { provide: APP_GUARD, useClass: KnownQueryGuard },
    { provide: APP_PIPE, useClass: RequestPipe },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
class TeamModule {}

describe('what a team knows from Nest', () => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    app = await NestFactory.create<NestFastifyApplication>(TeamModule, new FastifyAdapter(), {
      bodyParser: false,
      logger: false,
    });
    registerBodyParser(app.getHttpAdapter().getInstance());
    describeRoutes(app);
    app.useGlobalPipes(new Trimmed());
    await app.init();
  });
  afterAll(() => app.close());

  const ask = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const answer = await app.inject({ method, url: `/team/${url}`, payload });
    const { request_id, ...body } = answer.json<Record<string, unknown>>();
    expect(answer.statusCode < 400 || typeof request_id === 'string').toBe(true);
    return [answer.statusCode, body];
  };

  it.each<[string, number, string, string]>([
    ['throws/conflict', 409, 'http_409', 'Two nurses have this shift.'],
    ['throws/own', 422, 'shift_taken', 'This shift is taken.'],
    ['throws/unauthorized', 401, 'http_401', 'Unauthorized'],
    ['throws/missing', 404, 'http_404', 'There is no such shift.'],
    ['throws/gateway', 502, 'http_502', 'The pharmacy does not answer.'],
    ['throws/unknown', 500, 'internal', 'Something went wrong on our side. Please try again later.'],
    ['guarded', 403, 'http_403', 'Forbidden resource'],
    ['int/x', 400, 'http_400', 'Validation failed (numeric string is expected)'],
    ['uuid/x', 400, 'http_400', 'Validation failed (uuid is expected)'],
    ['nothing/here', 404, 'not_found', 'There is nothing here under this address.'],
  ])('keeps its status and its message: %s', async (url, status, code, error) => {
    expect(await ask('GET', url)).toEqual([status, { error, code }]);
  });

  it('works: pipes, interceptors, what is set for all routes', async () => {
    const id = '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c11';
    expect(await ask('GET', 'int/7')).toEqual([200, { value: 7 }]);
    expect(await ask('GET', `uuid/${id}`)).toEqual([200, { id }]);
    expect(await ask('GET', 'parsed?page=2&all=false')).toEqual([200, { page: 2, all: false }]);
    expect(await ask('POST', 'list', [{ count: 1 }])).toEqual([201, { isCount: true }]);
    expect(await ask('POST', 'twice', { count: 1 })).toEqual([201, { count: 1 }]);
    expect(await ask('GET', 'text/%20x%20')).toEqual([200, { text: 'x' }]);
  });

  it.each<[string, string]>([
    ['parsed?page=2&all=false&more=1', 'more'],
    ['text/x?toString=1', 'toString'],
  ])('refuses a parameter that the route does not take: %s', async (url, field) => {
    const [status, body] = await ask('GET', url);
    expect([status, body]).toMatchObject([400, { code: 'validation_failed', details: [{ field }] }]);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'prototype'])(
    'refuses a field that libraries would drop in silence: %s',
    async (field) => {
      const body = JSON.parse(`{"count":1,"${field}":1}`) as object;
      expect(await ask('POST', 'twice', body)).toMatchObject([400, { code: 'validation_failed' }]);
    },
  );
});
