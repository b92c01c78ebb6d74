import { Body, Controller, Get, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { ApiRoute, BODY_ERRORS, BodyLimit, LimitByAddress, Public, Weight, WorksReadOnly } from '@app/http';
import { type Language, languageOf } from '@app/interactions';
import type { OpaqueJson } from '@app/opaque';
import { CurrentCaller, LiveSessionGuard, LOCAL_POLICIES, RateLimits } from '@app/security';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { AcceptedLanguage, ApiAcceptedLanguage } from './dto/accepted-language.field';
import {
  CheckNewQuery,
  CheckNewRequest,
  CheckRequest,
  KnowledgeBaseQuery,
  ResolveRequest,
} from './dto/interactions.requests';
import { InteractionResultResponse } from './dto/interaction-result.response';
import { KnowledgeBaseResponse } from './dto/knowledge-base.response';
import { ResolvedNameResponse } from './dto/resolved-name.response';
import { InteractionsService } from './interactions.service';

const NOTICE =
  'Information, not medical advice. It covers what the knowledge base knows; that nothing is found does not mean that ' +
  'a combination is safe. A name that is not known is answered as `unrecognized`: it was not checked. Names are neither stored nor logged.';

/** A hundred names of 200 characters, each character as an escape of six bytes. */
const MAX_BODY_BYTES = 128 * 1024;

/**
 * Points of a download without gzip, which has four times the bytes. A client that names no coding gets the
 * plain form, because tools such as curl do not decompress by default.
 */
const PLAIN_POINTS = 10;

@ApiTags('Interactions')
@BodyLimit(MAX_BODY_BYTES)
@Controller('interactions')
export class InteractionsController {
  constructor(
    private readonly interactions: InteractionsService,
    private readonly limits: RateLimits,
  ) {}

  @Weight('check')
  @WorksReadOnly()
  @Post('check')
  @UseGuards(LiveSessionGuard)
  @ApiRoute({
    summary: 'Check a list of medicines against each other',
    description: NOTICE,
    status: 200,
    body: [InteractionResultResponse],
    errors: BODY_ERRORS,
  })
  @ApiAcceptedLanguage()
  check(
    @CurrentCaller() caller: Caller,
    @Body() request: CheckRequest,
    @AcceptedLanguage() language: Language,
  ): Promise<InteractionResultResponse[] | OpaqueJson> {
    return this.interactions.check(caller, { ...request, language });
  }

  @Weight('check')
  @WorksReadOnly()
  @Post('check-new')
  @UseGuards(LiveSessionGuard)
  @ApiRoute({
    summary: 'Check a new medicine before it is taken',
    description:
      'With `medications` against each of them. Without, everything known about the one, by classes of partners: a client finds a medicine ' +
      `of its list by its INN (\`resolve\`) in the \`names\` of the partners, and asks for \`detail\`. ${NOTICE}`,
    status: 200,
    body: [InteractionResultResponse],
    errors: BODY_ERRORS,
  })
  @ApiAcceptedLanguage()
  checkNew(
    @CurrentCaller() caller: Caller,
    @Body() request: CheckNewRequest,
    @Query() { detail }: CheckNewQuery,
    @AcceptedLanguage() language: Language,
  ): Promise<InteractionResultResponse[] | OpaqueJson> {
    return this.interactions.checkNew(caller, { ...request, detail, language });
  }

  @Weight('check')
  @WorksReadOnly()
  @Post('resolve')
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
  @LimitByAddress(LOCAL_POLICIES.knowledgeBase)
  @Weight('download')
  @Get('knowledge-base')
  @ApiRoute({
    summary: 'Download the whole knowledge base, to check on the device',
    description:
      'No name ever leaves the device then. Its sentences are in one language. Send the `ETag` back as `If-None-Match` to learn that nothing has changed (304). ' +
      `Send \`Accept-Encoding: gzip\`: without it, only six downloads in a minute are possible. ${NOTICE}`,
    status: 200,
    body: KnowledgeBaseResponse,
    headers: { ETag: 'Changes with the content.' },
    otherAnswers: { 304: 'Nothing has changed since the `ETag` in `If-None-Match`.' },
    isPublic: true,
  })
  @ApiHeader({
    name: 'If-None-Match',
    required: false,
    description: 'The `ETag` of the base that the client has.',
    schema: { type: 'string' },
  })
  async knowledgeBase(
    @Query() { language }: KnowledgeBaseQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { plain, gzipped, etag } = await this.interactions.knowledgeBase(languageOf(language));
    const isGzip = new Negotiator(request).encoding(['gzip', 'identity']) === 'gzip';
    const isKnown = matches(request.headers['if-none-match'], etag);
    // The admission has taken one point.
    if (!isGzip && !isKnown)
      await this.limits.takeFromAddress(LOCAL_POLICIES.knowledgeBase, request.ip, PLAIN_POINTS - 1);
    void reply
      .header('ETag', etag)
      .header('Cache-Control', 'public, max-age=86400')
      .header('Vary', 'Accept-Encoding, Origin');
    if (isKnown) return reply.status(304).send();
    void reply.type('application/json; charset=utf-8');
    if (!isGzip) return reply.send(plain);
    return reply.header('Content-Encoding', 'gzip').send(gzipped);
  }
}

/** Weak comparison: `W/` on either side does not matter. Source: RFC 9110 section 13.1.2. */
function matches(header: string | undefined, etag: string): boolean {
  return (header ?? '')
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
