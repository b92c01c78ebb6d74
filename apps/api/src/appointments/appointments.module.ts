import { Module } from '@nestjs/common';
import { AppointmentsController } from './appointments.controller';
import { AppointmentsRepository } from './appointments.repository';
import { AppointmentsService } from './appointments.service';

@Module({ controllers: [AppointmentsController], providers: [AppointmentsService, AppointmentsRepository] })
export class AppointmentsModule {}
