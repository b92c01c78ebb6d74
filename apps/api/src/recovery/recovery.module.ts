import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { RecoveryController } from './recovery.controller';
import { RecoveryRepository } from './recovery.repository';
import { RecoverySetupService } from './recovery-setup.service';
import { RecoveryService } from './recovery.service';

@Module({
  imports: [AuthModule],
  controllers: [RecoveryController],
  providers: [RecoveryService, RecoverySetupService, RecoveryRepository],
})
export class RecoveryModule {}
