import type { CalendarEntry } from '../../transfer/model/calendar-file';
import { today } from '../../../platform/model/clock';
import { medicines } from '../../medications/model/medicines';
import { plannedReminders } from './push-plan';
import { modeOf } from './reminder-choices';

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const DURATION_MINUTES = 15;

/** The times at which something is due, for a calendar. Its entries have no names: others may see a calendar. */
export function reminderCalendar(title: string): CalendarEntry[] {
  const reminding = medicines.value.filter((medicine) => modeOf(medicine) !== 'off');
  return plannedReminders(reminding, today.value).map(
    ({ profileId, time, firstDay, lastDay, repeat, medicineIds }) => {
      const until = `UNTIL=${lastDay.replaceAll('-', '')}T235959`;
      const rule =
        repeat &&
        ('every_days' in repeat
          ? `FREQ=DAILY;INTERVAL=${repeat.every_days}`
          : `FREQ=WEEKLY;BYDAY=${repeat.days_of_week.map((day) => WEEKDAYS[day]).join(',')}`);
      return {
        id: [profileId, time.replace(':', ''), firstDay, medicineIds[0]].join('-'),
        title,
        startsAt: `${firstDay}T${time}`,
        durationMinutes: DURATION_MINUTES,
        remindBeforeMinutes: 0,
        ...(rule && { recurrence: `${rule};${until}` }),
      };
    },
  );
}
