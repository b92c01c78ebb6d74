import { AppointmentEntity } from './appointments/entities/appointment.entity';
import { AccountEntity } from './auth/entities/account.entity';
import { AccountUsageEntity } from './auth/entities/account-usage.entity';
import { KnownAddressEntity } from './auth/entities/known-address.entity';
import { LoginEntity } from './auth/entities/login.entity';
import { SecurityEventEntity } from './auth/entities/security-event.entity';
import { SessionEntity } from './auth/entities/session.entity';
import { HealthStatEntity } from './health-stats/entities/health-stat.entity';
import { DoseEntity } from './medications/entities/dose.entity';
import { MedicationEntity } from './medications/entities/medication.entity';
import { ProfileEntity } from './profiles/entities/profile.entity';

/** Every table's entity. A module that brings a table adds its entity here. */
export const ENTITIES = [
  AccountEntity,
  AccountUsageEntity,
  KnownAddressEntity,
  LoginEntity,
  SecurityEventEntity,
  SessionEntity,
  ProfileEntity,
  MedicationEntity,
  DoseEntity,
  AppointmentEntity,
  HealthStatEntity,
];
