import type { MedicineDetails } from './schemas/medication';

/**
 * What a person said that the name is, where the name does not say it itself. A guess that nobody confirmed, and one that
 * was refused, is no substance.
 */
export function substancesOf({ name, reading }: Pick<MedicineDetails, 'name' | 'reading'>): string[] {
  if (reading?.confirmed !== true || !Array.isArray(reading.ingredients)) return [];
  const written = name.toLowerCase();
  const substances = reading.ingredients.filter((each) => typeof each === 'string' && each !== '');
  return substances.every((each) => written.includes(each.toLowerCase())) ? [] : substances;
}
