import type { DoseSchedule, DoseTerms } from '../compiled-base';
import type { EntryReader } from './entry-reader';

const REGIONS = ['US', 'EU', 'GB', 'CA', 'AU'] as const;

/**
 * Reads the products of a ceiling (bought or prescribed, in which regions) and the highest frequency of a
 * dose.
 */
export function readDoseTerms(reader: EntryReader): DoseTerms {
  const use = reader.has('use') ? reader.oneOf('use', ['otc', 'prescription'] as const) : undefined;
  const regions = reader.texts('regions');
  for (const region of regions) {
    if (!(REGIONS as readonly string[]).includes(region))
      reader.complain(`unknown region '${region}'; allowed are ${REGIONS.join(', ')}`);
  }
  const schedule = readSchedule(reader);
  const patch = readPatch(reader);
  return {
    ...(use && { use }),
    ...(regions.length > 0 && { regions }),
    ...(schedule && { schedule }),
    ...(patch && { patch }),
  };
}

function readPatch(reader: EntryReader): DoseTerms['patch'] {
  const value = reader.raw('patch');
  if (value === undefined) return undefined;
  const { at_a_time: atATime, per_week: perWeek, ...others } = (value ?? {}) as Record<string, unknown>;
  const isCount = (each: unknown): each is number => typeof each === 'number' && each > 0;
  if (isCount(atATime) && isCount(perWeek) && Object.keys(others).length === 0) return { atATime, perWeek };
  reader.complain(`'patch' needs 'at_a_time' and 'per_week', both above zero, and nothing else`);
  return undefined;
}

function readSchedule(reader: EntryReader): DoseSchedule | undefined {
  const value = reader.raw('schedule');
  if (value === undefined) return undefined;
  const { most, from_mg: from, unless, ...others } = (value ?? {}) as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown) reader.complain(`'schedule' has the unknown field '${unknown}'`);
  if (most !== 'weekly' && most !== 'monthly') {
    reader.complain(`'schedule' needs 'most', either weekly or monthly`);
    return undefined;
  }
  if (from !== undefined && !(typeof from === 'number' && from > 0))
    reader.complain(`'schedule' has a 'from_mg' that is no number above zero`);
  const words = unless === undefined ? [] : unless;
  if (!Array.isArray(words) || words.some((word) => typeof word !== 'string')) {
    reader.complain(`'schedule' has an 'unless' that is no list of words`);
    return undefined;
  }
  return {
    most,
    ...(typeof from === 'number' && { from }),
    ...(words.length > 0 && { unless: words as string[] }),
  };
}
