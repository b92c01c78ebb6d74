import type { Extension } from '@app/extension';
import { PushSubscriptionEntity } from './entities/push-subscription.entity';
import { ReminderEntity } from './entities/reminder.entity';
import { RemindersModule } from './reminders.module';

export const REMINDERS: Extension = {
  modules: [RemindersModule],
  entities: [PushSubscriptionEntity, ReminderEntity],
};
