import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller, Created, IdempotencyKeyDigest, Page, RevisionCondition } from '@app/common';
import {
  ApiIdempotencyKey,
  ApiIfMatch,
  ApiRoute,
  CHANGE_ERRORS,
  CREATE_ERRORS,
  EmptyBody,
  IdempotencyKey,
  IfMatch,
  ITEM_HEADERS,
  LIST_HEADERS,
} from '@app/http';
import { CurrentCaller } from '@app/security';
import { CreateAppointmentRequest } from './dto/create-appointment.request';
import { ListAppointmentsQuery } from './dto/list-appointments.query';
import { AppointmentResponse } from './dto/appointment.response';
import { UpdateAppointmentRequest } from './dto/update-appointment.request';
import { AppointmentsService } from './appointments.service';

@ApiTags('Appointments')
@Controller('appointments')
export class AppointmentsController {
  constructor(private readonly appointments: AppointmentsService) {}

  @Get()
  @ApiRoute({
    summary: 'List appointments, newest first',
    status: 200,
    body: [AppointmentResponse],
    headers: LIST_HEADERS,
    errors: ['validation_failed'],
  })
  list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListAppointmentsQuery,
  ): Promise<Page<AppointmentResponse>> {
    return this.appointments.list(caller, query);
  }

  @Post()
  @ApiIdempotencyKey()
  @ApiRoute({
    summary: 'Add an appointment to a profile',
    status: 201,
    body: AppointmentResponse,
    headers: ITEM_HEADERS,
    errors: [...CREATE_ERRORS, 'not_found'],
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() appointment: CreateAppointmentRequest,
    @IdempotencyKey() requestKey?: IdempotencyKeyDigest,
  ): Promise<Created<AppointmentResponse>> {
    return this.appointments.create(caller, appointment, requestKey);
  }

  @Get(':id')
  @ApiRoute({
    summary: 'Read one appointment',
    status: 200,
    body: AppointmentResponse,
    headers: ITEM_HEADERS,
    errors: ['not_found'],
  })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<AppointmentResponse> {
    return this.appointments.get(caller, id);
  }

  @Post(':id')
  @HttpCode(200)
  @ApiIfMatch()
  @ApiRoute({
    summary: 'Update one appointment',
    description: 'Takes any non-empty subset of the create body; a blob replaces the whole stored blob.',
    status: 200,
    body: AppointmentResponse,
    headers: ITEM_HEADERS,
    errors: CHANGE_ERRORS,
  })
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() appointment: UpdateAppointmentRequest,
    @IfMatch() condition?: RevisionCondition,
  ): Promise<AppointmentResponse> {
    return this.appointments.update(caller, id, appointment, condition);
  }

  @Post(':id/delete')
  @HttpCode(204)
  @ApiIfMatch()
  @ApiRoute({ summary: 'Delete one appointment', status: 204, errors: CHANGE_ERRORS })
  delete(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() _body: EmptyBody,
    @IfMatch() condition?: RevisionCondition,
  ): Promise<void> {
    return this.appointments.delete(caller, id, condition);
  }
}
