import type { DoseUnit } from '../types';

/** A value in the unit of a dose. */
export interface Amount {
  value: number;
  unit: DoseUnit;
}

const lexicon = <T>(entries: Record<string, T>): ReadonlyMap<string, T> =>
  new Map(
    Object.entries(entries).flatMap(([names, value]) =>
      names.split(' ').map((name) => [name, value] as const),
    ),
  );

export const NUMBERS = lexicon<number>({
  half: 0.5, quarter: 0.25, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, twelve: 12,
}); // prettier-ignore

export const MASS_UNITS = lexicon<Amount>({
  'mg mgs milligram milligrams milligramm milligramme milligrammes miligramo miligramos milligrammo milligrammi miligrama miligramas':
    { value: 1, unit: 'mg' },
  'g gm gms gr gram grams gramm gramme grammes gramo gramos grammo grammi grama gramas': {
    value: 1000,
    unit: 'mg',
  },
  'mcg mcgs ug microgram micrograms mikrogramm mikrogramme microgramme microgrammes microgramo microgramos microgrammo microgrammi':
    { value: 0.001, unit: 'mg' },
  'iu ie ui unit units u einheit einheiten unidad unidades unite unites': { value: 1, unit: 'IU' },
  miu: { value: 1_000_000, unit: 'IU' },
});

export const DAILY_ABBREVIATIONS = lexicon<number>({
  'od qd qn': 1,
  'bid bd bds b.i.d': 2,
  'tid td tds': 3,
  'qid qds': 4,
  'qod eod': 0.5,
});

const set = (list: string): ReadonlySet<string> => new Set(list.split(' '));
export const VOLUME_WORDS = set('ml mls millilitre millilitres milliliter milliliters cc');
export const FORM_WORDS = set(
  'tablet tablets tab tabs capsule capsules cap caps caplet caplets pill pills puff puffs sachet sachets suppository suppositories ' +
    'lozenge lozenges patch patches softgel softgels gelcap gelcaps vial vials injection injections spray sprays actuation actuations ' +
    'squirt squirts drop drops spoon spoons spoonful',
);
export const DAY_WORDS = set('day days daily d 24h');
export const WEEK_WORDS = set('week weeks weekly');
export const MONTH_WORDS = set('month months monthly');
export const YEAR_WORDS = set('year years yearly');
export const HOUR_WORDS = set('hour hours hourly hr hrs h hrly');
export const TIMES_WORDS = set('times time x');
/** "7 days", not "every day": how long, not how often. */
export const DURATION_WORDS = set('days weeks months years');
/** The parts of a day. Words of one part do not count twice: "in the morning with breakfast". */
export const PART_OF_DAY = lexicon<string>({
  'morning mornings breakfast': 'morning',
  'noon midday lunchtime lunch': 'noon',
  'afternoon afternoons': 'afternoon',
  'evening evenings dinner supper': 'evening',
  'night nights bedtime': 'night',
});
export const WEEKDAYS = set(
  'monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays ' +
    'mon tue wed thu fri sat sun tues weds thur thurs',
);
/** Words before an interval. */
export const EVERY = set('every q each');
export const JOINERS = set('and then , ; + plus &');
