import { defineErrors } from '@app/common';
import { defineSettings, integer } from '@app/config';

export const ALLERGY_ERRORS = defineErrors({
  too_many_allergies: { status: 409, sentence: 'This profile has as many allergies as it may.' },
});

export const ALLERGY_SETTINGS = defineSettings({
  ALLERGIES_PER_PROFILE: {
    description: 'Allergies that one profile may have.',
    defaultText: '`100`',
    parse: integer(100, 1, 10_000),
  },
  ALLERGY_FEED_TOKEN: {
    description: 'Opens a feed of allergens.',
    defaultText: 'none',
    secret: true,
    parse: (text) => text,
  },
});
