import { Body, Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { ApiRoute, BODY_ERRORS, Weight } from '@app/http';
import type { OpaqueJson } from '@app/opaque';
import { CurrentCaller, LiveSessionGuard, Public } from '@app/security';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CheckNewRequest } from './dto/check-new.request';
import { CheckRequest } from './dto/check.request';
import { InteractionResultResponse } from './dto/interaction-result.response';
import { ResolveRequest } from './dto/resolve.request';
import { ResolvedNameResponse } from './dto/resolved-name.response';
import { InteractionsService } from './interactions.service';

const NOTICE =
  'Information, not medical advice. It covers what the knowledge base knows; that nothing is found does not mean that ' +
  'a combination is safe. A name that is not known is answered as `unrecognized`: it was not checked. Names are neither stored nor logged.';

@ApiTags('Interactions')
@Controller('interactions')
export class InteractionsController {
  constructor(private readonly interactions: InteractionsService) {}

  @Weight('check')
  @Post('check')
  @HttpCode(200)
  @UseGuards(LiveSessionGuard)
  @ApiRoute({
    summary: 'Check a list of medicines against each other',
    description: NOTICE,
    status: 200,
    body: [InteractionResultResponse],
    errors: BODY_ERRORS,
  })
  check(
    @CurrentCaller() caller: Caller,
    @Body() request: CheckRequest,
  ): Promise<InteractionResultResponse[] | OpaqueJson> {
    return this.interactions.check(caller, request);
  }

  @Weight('check')
  @Post('check-new')
  @HttpCode(200)
  @UseGuards(LiveSessionGuard)
  @ApiRoute({
    summary: 'Check a new medicine before it is taken',
    description: `With \`medications\` against each of them; without, everything known about the one. ${NOTICE}`,
    status: 200,
    body: [InteractionResultResponse],
    errors: BODY_ERRORS,
  })
  checkNew(
    @CurrentCaller() caller: Caller,
    @Body() request: CheckNewRequest,
  ): Promise<InteractionResultResponse[] | OpaqueJson> {
    return this.interactions.checkNew(caller, request);
  }

  @Weight('check')
  @Post('resolve')
  @HttpCode(200)
  @UseGuards(LiveSessionGuard)
  @ApiRoute({
    summary: 'Find the ingredients behind names',
    description: NOTICE,
    status: 200,
    body: [ResolvedNameResponse],
    errors: BODY_ERRORS,
  })
  resolve(@CurrentCaller() caller: Caller, @Body() { medications }: ResolveRequest): Promise<OpaqueJson> {
    return this.interactions.resolve(caller, medications);
  }

  @Public()
  @Weight('download')
  @Get('knowledge-base')
  @ApiRoute({
    summary: 'Download the whole knowledge base, to check on the device',
    description: `No name ever leaves the device then. Send the \`ETag\` back as \`If-None-Match\` to learn that nothing has changed (304). ${NOTICE}`,
    status: 200,
    body: Object,
    headers: { ETag: 'Changes with the content.' },
    isPublic: true,
  })
  async knowledgeBase(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { plain, gzipped, etag } = await this.interactions.knowledgeBase();
    void reply
      .header('ETag', etag)
      .header('Cache-Control', 'public, max-age=3600')
      .header('Vary', 'Accept-Encoding');
    if (matches(request.headers['if-none-match'], etag)) return reply.status(304).send();
    void reply.type('application/json; charset=utf-8');
    if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(plain);
    return reply.header('Content-Encoding', 'gzip').send(gzipped);
  }
}

/** Whether the header names gzip or `*` without a weight of 0. Source: RFC 9110 section 12.5.3. */
function acceptsGzip(header: string | string[] | undefined): boolean {
  return String(header ?? '')
    .split(',')
    .some((coding) => /^(gzip|\*)\s*(;\s*q=(?!0(\.0*)?$).*)?$/i.test(coding.trim()));
}

/** Weak comparison: `W/` on either side does not matter. Source: RFC 9110 section 13.1.2. */
function matches(header: string | undefined, etag: string): boolean {
  return (header ?? '')
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
