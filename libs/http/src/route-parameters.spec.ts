import {
  Body,
  Controller,
  createParamDecorator,
  Get,
  Param,
  ParseIntPipe,
  Post,
  Query,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { ValidateNested } from 'class-validator';
import { EmptyBody } from './empty-body';
import { ListQuery } from './list.query';
import { RequestPipe } from './request.pipe';

class Broken {
  @ValidateNested() part: object;
}
class NoFields {}
interface Shape {
  name: string;
}
const Caller = createParamDecorator(() => ({}));

@Controller('good')
class GoodController {
  @Post(':id')
  act(
    @Param('id') _id: string,
    @Body() _body: EmptyBody,
    @Query() _query: ListQuery,
    @Caller() _caller: Broken,
  ) {}

  @Get(':id')
  get(@Param('id', ParseIntPipe) _id: number, @Param() _all: Record<string, string>) {}

  /** Not a route. */
  other(@Body() _body: Shape) {}
}

@Controller('bad')
class BadController {
  @Post() broken(@Body() _body: Broken) {}
  @Post() brokenQuery(@Query() _query: Broken) {}
  @Post() noFields(@Body() _body: NoFields) {}
  @Post() shape(@Body() _body: Shape) {}
  @Post() list(@Body() _body: ListQuery[]) {}
  @Post() text(@Body() _body: string) {}
  @Post() part(@Body('name') _name: string) {}
  @Get() parameter(@Query('page', ParseIntPipe) _page: number) {}
  @Get() all(@Query() _query: Record<string, string>) {}
  @Get(':id') number(@Param('id') _id: number) {}
}

@Controller('child')
class ChildController extends BadController {}

const start = async (...controllers: (new () => object)[]) => {
  const providers = [{ provide: APP_PIPE, useClass: RequestPipe }];
  const module = await Test.createTestingModule({ controllers, providers }).compile();
  await module.init();
};
const sentencesOf = (route: string) => [
  `${route}.shape: @Body() needs a DTO class, and Object is none.`,
  `${route}.list: @Body() needs a DTO class, and Array is none.`,
  `${route}.text: @Body() needs a DTO class, and String is none.`,
  `${route}.part: @Body('name') leaves all other fields unread; it needs a DTO class.`,
  `${route}.parameter: @Query('page') leaves all other fields unread; it needs a DTO class.`,
  `${route}.all: @Query() needs a DTO class, and Object is none.`,
  `${route}.number: @Param('id') is a string; a DTO class with @Type, or a pipe, makes it something else.`,
];
const OF_CLASSES = [
  'Broken.part: @ValidateNested needs @Type, which names the class.',
  'NoFields: no field has a rule of class-validator; a body without fields is EmptyBody.',
];

describe('the start of the service', () => {
  it('goes on where every route holds', async () => {
    await expect(start(GoodController)).resolves.toBeUndefined();
  });

  it.each([
    ['BadController', BadController],
    ['ChildController', ChildController],
  ])('is refused with every route and class that cannot hold: %s', async (name, controller) => {
    const error = await start(GoodController, controller).catch((refusal: Error) => refusal);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message.split('\n').sort()).toEqual([...sentencesOf(name), ...OF_CLASSES].sort());
  });
});
