import { Injectable } from '@nestjs/common';
import type { Caller, Created, IdempotencyKeyDigest, Page, RevisionCondition } from '@app/common';
import { type Executor, Syncs, type SyncSource } from '@app/database';
import { assertChanges, toListRequest } from '@app/http';
import { AppointmentEntity } from './entities/appointment.entity';
import { AppointmentsRepository } from './appointments.repository';
import { type AppointmentResponse, toAppointmentResponse } from './dto/appointment.response';
import type { CreateAppointmentRequest } from './dto/create-appointment.request';
import type { ListAppointmentsQuery } from './dto/list-appointments.query';
import type { UpdateAppointmentRequest } from './dto/update-appointment.request';

@Injectable()
@Syncs(AppointmentEntity)
export class AppointmentsService implements SyncSource {
  constructor(private readonly appointments: AppointmentsRepository) {}

  async list(caller: Caller, query: ListAppointmentsQuery): Promise<Page<AppointmentResponse>> {
    const filters = { status: query.status, profile_id: query.profile_id };
    return (await this.appointments.list(caller, toListRequest(query, filters))).map(toAppointmentResponse);
  }

  async get(caller: Caller, id: string): Promise<AppointmentResponse> {
    return toAppointmentResponse(await this.appointments.find(caller, id));
  }

  async create(
    caller: Caller,
    appointment: CreateAppointmentRequest,
    requestKey?: IdempotencyKeyDigest,
  ): Promise<Created<AppointmentResponse>> {
    const row = {
      id: appointment.id,
      profile_id: appointment.profile_id,
      status: appointment.status,
      encrypted_data: appointment.encrypted_data.text,
    };
    return (await this.appointments.insert(caller, row, requestKey)).map(toAppointmentResponse);
  }

  async update(
    caller: Caller,
    id: string,
    appointment: UpdateAppointmentRequest,
    condition?: RevisionCondition,
  ): Promise<AppointmentResponse> {
    const changes = {
      profile_id: appointment.profile_id,
      status: appointment.status,
      encrypted_data: appointment.encrypted_data?.text,
    };
    assertChanges(changes, 'appointment');
    return toAppointmentResponse(await this.appointments.updateRecord(caller, id, { changes, condition }));
  }

  async delete(caller: Caller, id: string, condition?: RevisionCondition): Promise<void> {
    await this.appointments.delete(caller, id, condition);
  }

  async findByIds(caller: Caller, ids: string[], snapshot: Executor): Promise<Map<string, object>> {
    return this.appointments.findByIds(caller, ids, snapshot, toAppointmentResponse);
  }
}
