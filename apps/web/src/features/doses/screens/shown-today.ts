import { computed } from '@preact/signals';
import { now } from '../../../platform/model/clock';
import { dosesOf, shownMedicines } from '../../medications/model/medicines';
import { postponed } from '../model/postponed';
import { viewOfToday } from '../model/today-view';
import { heldInPlace } from './held-rows';

export const shownToday = computed(() =>
  viewOfToday(shownMedicines.value, dosesOf, now.value, postponed.value, heldInPlace.value),
);

/** The due doses in sight that are not yet among those that are done. */
export const openSlots = computed(() => {
  const { missed, now: due, later } = shownToday.value;
  return [...missed, ...due, ...later];
});
