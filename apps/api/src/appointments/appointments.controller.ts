import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RecordController } from '@app/records';
import { AppointmentsService } from './appointments.service';
import { AppointmentResponse } from './dto/appointment.response';
import { CreateAppointmentRequest } from './dto/create-appointment.request';
import { ListAppointmentsQuery } from './dto/list-appointments.query';
import { UpdateAppointmentRequest } from './dto/update-appointment.request';

@ApiTags('Appointments')
@Controller('appointments')
export class AppointmentsController extends RecordController({
  response: AppointmentResponse,
  list: { summary: 'List appointments, newest first', query: ListAppointmentsQuery },
  create: { summary: 'Add an appointment to a profile', body: CreateAppointmentRequest },
  get: { summary: 'Read one appointment' },
  update: { summary: 'Update one appointment', body: UpdateAppointmentRequest },
  delete: { summary: 'Delete one appointment' },
  changes: 'POST',
}) {
  constructor(appointments: AppointmentsService) {
    super(appointments);
  }
}
