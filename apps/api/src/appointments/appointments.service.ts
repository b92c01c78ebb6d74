import { Injectable } from '@nestjs/common';
import { Syncs } from '@app/database';
import { RecordService } from '@app/records';
import { AppointmentsRepository } from './appointments.repository';
import { type AppointmentResponse, toAppointmentResponse } from './dto/appointment.response';
import type { CreateAppointmentRequest } from './dto/create-appointment.request';
import type { UpdateAppointmentRequest } from './dto/update-appointment.request';
import { AppointmentEntity } from './entities/appointment.entity';

@Injectable()
@Syncs(AppointmentEntity)
export class AppointmentsService extends RecordService<
  AppointmentEntity,
  CreateAppointmentRequest,
  UpdateAppointmentRequest,
  AppointmentResponse
> {
  constructor(appointments: AppointmentsRepository) {
    super(appointments, 'appointment');
  }

  protected toRow(appointment: CreateAppointmentRequest | UpdateAppointmentRequest) {
    const { profile_id, status, encrypted_data } = appointment;
    return { profile_id, status, encrypted_data: encrypted_data?.text };
  }

  protected toResponse = toAppointmentResponse;
}
