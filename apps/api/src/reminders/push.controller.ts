import { Body, Controller, Delete, Get, Param, Post, Put, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { ApiRoute, BODY_ERRORS, EmptyBody, LimitByAddress, Public } from '@app/http';
import { ADDRESS_POLICIES, CurrentCaller, LiveSessionGuard } from '@app/security';
import { PutPushSubscriptionRequest } from './dto/push-subscription.request';
import {
  PushKeyResponse,
  PushSubscriptionResponse,
  PushTestResponse,
} from './dto/push-subscription.responses';
import { PushAnswerRequest } from './dto/reminder.requests';
import { PushSender } from './push-sender.service';
import { PushSubscriptionsService } from './push-subscriptions.service';
import { RemindersService } from './reminders.service';

@ApiTags('Reminders')
@Controller('push')
export class PushController {
  constructor(
    private readonly push: PushSender,
    private readonly subscriptions: PushSubscriptionsService,
    private readonly reminders: RemindersService,
  ) {}

  @UseGuards(LiveSessionGuard)
  @Get('key')
  @ApiRoute({
    summary: 'Get the public key for the push service of a browser',
    description: 'A browser subscribes with it. When it changes, subscribe again.',
    status: 200,
    body: PushKeyResponse,
    errors: ['push_off'],
  })
  key(): PushKeyResponse {
    return { public_key: this.push.assertOn() };
  }

  @Get('subscriptions')
  @ApiRoute({
    summary: 'List your devices that take reminders, oldest first',
    description: 'A device ends with its session. Keys and the full address of a device are never shown.',
    status: 200,
    body: [PushSubscriptionResponse],
  })
  list(@CurrentCaller() caller: Caller): Promise<PushSubscriptionResponse[]> {
    return this.subscriptions.list(caller);
  }

  @Get('subscriptions/:id')
  @ApiRoute({
    summary: 'Read the state of one device',
    description: 'Whether the last message left, and if not, why.',
    status: 200,
    body: PushSubscriptionResponse,
    errors: ['not_found'],
  })
  read(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<PushSubscriptionResponse> {
    return this.subscriptions.read(caller, id);
  }

  @Put('subscriptions/:id')
  @ApiRoute({
    summary: 'Let this browser take reminders',
    description:
      'The client chooses the id and keeps it. One browser a session: another id replaces the former one with its reminders.',
    status: 200,
    body: PushSubscriptionResponse,
    errors: [...BODY_ERRORS, 'not_found', 'push_off'],
  })
  put(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() request: PutPushSubscriptionRequest,
  ): Promise<PushSubscriptionResponse> {
    return this.subscriptions.put(caller, id, request);
  }

  @Delete('subscriptions/:id')
  @ApiRoute({
    summary: 'Send a device no more reminders',
    description: 'Its reminders are deleted, too.',
    status: 204,
    errors: [...BODY_ERRORS, 'not_found'],
  })
  delete(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() _body: EmptyBody): Promise<void> {
    return this.subscriptions.delete(caller, id);
  }

  @LimitByAddress(ADDRESS_POLICIES.pushTest)
  @Post('subscriptions/:id/test')
  @ApiRoute({
    summary: 'Send a test message to a device at once',
    description: 'The answer says whether the push service took it.',
    status: 200,
    body: PushTestResponse,
    errors: [...BODY_ERRORS, 'not_found', 'push_off'],
  })
  test(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() _body: EmptyBody,
  ): Promise<PushTestResponse> {
    return this.subscriptions.test(caller, id);
  }

  @Public()
  @LimitByAddress(ADDRESS_POLICIES.pushAnswer)
  @Post('answers')
  @ApiRoute({
    summary: 'Answer a message by its ticket',
    description:
      'For a service worker whose page is closed or locked. A ticket is good for twelve hours and opens nothing else. ' +
      'The answer is 204 for any ticket.',
    status: 204,
    errors: BODY_ERRORS,
    isPublic: true,
  })
  answer(@Body() request: PushAnswerRequest): Promise<void> {
    return this.reminders.answerByTicket(request);
  }
}
