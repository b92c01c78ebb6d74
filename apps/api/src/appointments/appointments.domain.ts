import type { Extension } from '@app/extension';
import { AppointmentsModule } from './appointments.module';
import { AppointmentEntity } from './entities/appointment.entity';

export const APPOINTMENTS: Extension = { modules: [AppointmentsModule], entities: [AppointmentEntity] };
