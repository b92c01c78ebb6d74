import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { ApiRoute, BODY_ERRORS, EmptyBody } from '@app/http';
import { CurrentCaller } from '@app/security';
import { AnswerReminderRequest, PutReminderRequest } from './dto/reminder.requests';
import { ReminderResponse } from './dto/reminder.response';
import { RemindersService } from './reminders.service';

@ApiTags('Reminders')
@Controller('reminders')
export class RemindersController {
  constructor(private readonly reminders: RemindersService) {}

  @Get()
  @ApiRoute({
    summary: 'List the reminders of all your devices',
    description: 'In the order of their occurrences; at most 500.',
    status: 200,
    body: [ReminderResponse],
  })
  list(@CurrentCaller() caller: Caller): Promise<ReminderResponse[]> {
    return this.reminders.list(caller);
  }

  @Put(':id')
  @ApiRoute({
    summary: 'Set a reminder of a device',
    description:
      'The client chooses the id. What was set before is replaced. The service learns when to send a message and nothing ' +
      'of what it says.',
    status: 200,
    body: ReminderResponse,
    errors: [...BODY_ERRORS, 'not_found', 'push_off', 'quota_exceeded'],
  })
  put(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() request: PutReminderRequest,
  ): Promise<ReminderResponse> {
    return this.reminders.put(caller, id, request);
  }

  @Delete(':id')
  @ApiRoute({
    summary: 'Delete a reminder',
    description: 'What the device shows already stays there.',
    status: 204,
    errors: [...BODY_ERRORS, 'not_found'],
  })
  delete(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() _body: EmptyBody): Promise<void> {
    return this.reminders.delete(caller, id);
  }

  @Post('answers')
  @ApiRoute({
    summary: 'Answer an occurrence on all devices',
    description:
      'Before it is due, or after. Other devices that show it take it away. An occurrence that no reminder has is no error.',
    status: 204,
    errors: BODY_ERRORS,
  })
  answer(@CurrentCaller() caller: Caller, @Body() request: AnswerReminderRequest): Promise<void> {
    return this.reminders.answer(caller, request);
  }
}
