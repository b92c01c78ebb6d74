import { Module } from '@nestjs/common';
import { PushController } from './push.controller';
import { PushSender } from './push-sender.service';
import { PushSubscriptionsRepository } from './push-subscriptions.repository';
import { PushSubscriptionsService } from './push-subscriptions.service';
import { ReminderScheduler } from './reminder-scheduler.service';
import { ReminderSender } from './reminder-sender.service';
import { RemindersController } from './reminders.controller';
import { RemindersRepository } from './reminders.repository';
import { RemindersService } from './reminders.service';

@Module({
  controllers: [PushController, RemindersController],
  providers: [
    PushSender,
    PushSubscriptionsRepository,
    PushSubscriptionsService,
    ReminderScheduler,
    ReminderSender,
    RemindersRepository,
    RemindersService,
  ],
})
export class RemindersModule {}
