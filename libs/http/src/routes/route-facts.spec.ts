import 'reflect-metadata';
import { Body, Controller, Get, Module, Post, Query, type Type, ValidationPipe } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication, RouteConfig } from '@nestjs/platform-fastify';
import { PartialType } from '@nestjs/swagger';
import { ExtensionError } from '@app/common';
import { OpaqueBlob, type OpaqueJson } from '@app/opaque';
import type { FastifyInstance } from 'fastify';
import { TextField } from '../requests/fields';
import { ListQuery } from '../requests/list.query';
import { Public } from './route-access';
import { describeRoutes, type RouteFacts } from './route-facts';
import { BodyLimit } from './route-limits';
import { Weight, WEIGHTS } from './route-weight';

class NoteRequest {
  @TextField({ min: 1, max: 9 })
  title: string;

  @OpaqueBlob()
  note_data: OpaqueJson;
}

class LongNoteRequest extends NoteRequest {
  @OpaqueBlob()
  more_data: OpaqueJson;
}

class NoteChangeRequest extends PartialType(LongNoteRequest) {}

@Controller('notes')
class NotesController {
  @Get()
  list(): string {
    return '';
  }

  @Post()
  @RouteConfig({ ofTheModule: true })
  create(@Body() _note: LongNoteRequest): string {
    return '';
  }

  @Public()
  @Post(':id')
  update(@Body() _note: NoteChangeRequest): string {
    return '';
  }
}

type Config = { facts?: RouteFacts; ofTheModule?: boolean } | undefined;

/** The configuration of a route in Fastify's first hook, by method and path. */
async function configsOf(...controllers: Type[]): Promise<(method: string, path: string) => Promise<Config>> {
  @Module({ imports: [DiscoveryModule], controllers })
  class TestModule {}
  const options = { logger: false, abortOnError: false } as const;
  const app = await NestFactory.create<NestFastifyApplication>(TestModule, new FastifyAdapter(), options);
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  let seen: Config;
  fastify.addHook('onRequest', (request, _reply, done) => {
    seen = request.routeOptions.config;
    done();
  });
  describeRoutes(app);
  await app.init();
  return async (method, url) => {
    await fastify.inject({ method: method as 'GET', url, payload: method === 'GET' ? undefined : {} });
    return seen;
  };
}

describe('the facts of a route', () => {
  it('are there before a byte of its body is read, of every module', async () => {
    const configOf = await configsOf(NotesController);
    expect((await configOf('GET', '/notes'))?.facts).toEqual({
      isPublic: false,
      body: undefined,
      opaqueFields: [],
      maxBodyBytes: 1024 * 1024,
      rateLimit: undefined,
      weight: WEIGHTS.short,
      stores: false,
      writes: false,
    });
    expect((await configOf('POST', '/notes'))?.facts).toEqual({
      isPublic: false,
      body: LongNoteRequest,
      opaqueFields: ['more_data', 'note_data'],
      maxBodyBytes: 1024 * 1024,
      rateLimit: undefined,
      weight: WEIGHTS.write,
      stores: true,
      writes: true,
    });
    expect((await configOf('POST', '/notes/7'))?.facts).toMatchObject({
      isPublic: true,
      opaqueFields: ['more_data', 'note_data'],
      maxBodyBytes: 32 * 1024,
      stores: true,
    });
    expect((await configOf('GET', '/elsewhere'))?.facts).toBeUndefined();
  });

  it('stand beside what the module itself tells Fastify', async () => {
    expect((await (await configsOf(NotesController))('POST', '/notes'))?.ofTheModule).toBe(true);
  });

  it('are the weight that it says, or that of a list', async () => {
    class NotesQuery extends ListQuery {}
    @Controller('heavy')
    class HeavyController {
      @Get()
      list(@Query() _query: NotesQuery): string {
        return '';
      }

      @Weight('sync')
      @Get('sync')
      sync(@Query() _query: ListQuery): string {
        return '';
      }
    }
    const configOf = await configsOf(HeavyController);
    expect((await configOf('GET', '/heavy'))?.facts?.weight).toBe(WEIGHTS.list);
    expect((await configOf('GET', '/heavy/sync'))?.facts?.weight).toBe(WEIGHTS.sync);
  });

  it('are those of a whole controller where that is public', async () => {
    @Public()
    @Controller('open')
    class OpenController {
      @Get()
      read(): string {
        return '';
      }
    }
    expect((await (await configsOf(OpenController))('GET', '/open'))?.facts?.isPublic).toBe(true);
  });
});

describe('the largest body of a route', () => {
  @BodyLimit(500)
  @Controller('bodies')
  class BodiesController {
    @Post()
    small(): string {
      return '';
    }

    @BodyLimit(700)
    @Post('larger')
    larger(): string {
      return '';
    }

    @BodyLimit(9_000_000)
    @Post('too-large')
    tooLarge(): string {
      return '';
    }
  }

  it.each([
    ['/bodies', 500],
    ['/bodies/larger', 700],
    ['/bodies/too-large', 4 * 1024 * 1024],
  ])('is what its method says, else its controller, and 4 MiB at most: %s', async (path, bytes) => {
    const facts = (await (await configsOf(BodiesController))('POST', path))?.facts;
    expect(facts?.maxBodyBytes).toBe(bytes);
  });
});

describe('routes that do not fit', () => {
  it('are two for the same requests: both are named', async () => {
    @Controller('notes')
    class OthersController {
      @Post(':note_id')
      change(): string {
        return '';
      }
    }
    const start = configsOf(NotesController, OthersController);
    await expect(start).rejects.toThrow(ExtensionError);
    await expect(start).rejects.toThrow(
      'OthersController.change and NotesController.update both answer POST /notes/:note_id.',
    );
  });

  it.each(['body', 'query'] as const)('are those that nothing checks: %s', async (which) => {
    const Of = which === 'body' ? Body : Query;
    @Controller('open')
    class OpenController {
      @Post('checked')
      checked(@Of(new ValidationPipe({ expectedType: NoteRequest })) _note: object, @Of('a') _a: string) {}

      @Post()
      open(@Of() _note: Partial<NoteRequest>) {}
    }
    await expect(configsOf(OpenController)).rejects.toThrow(
      'OpenController.open: the type of @Body() or @Query() must be a class (no interface, no import type), or it needs a pipe.',
    );
  });

  it('are one method that is public in one controller and not in another', async () => {
    class Shared {
      @Get()
      read(): string {
        return '';
      }
    }
    @Public()
    @Controller('one')
    class OneController extends Shared {}
    @Controller('two')
    class TwoController extends Shared {}
    await expect(configsOf(OneController, TwoController)).rejects.toThrow(
      'TwoController.read and OneController.read are one method, and only one is public.',
    );
  });

  it('are one method with two body limits', async () => {
    class Shared {
      @Post()
      send(): string {
        return '';
      }
    }
    @BodyLimit(1)
    @Controller('one')
    class OneController extends Shared {}
    @Controller('two')
    class TwoController extends Shared {}
    await expect(configsOf(OneController, TwoController)).rejects.toThrow(
      'TwoController.send and OneController.send are one method with two body limits.',
    );
  });
});
