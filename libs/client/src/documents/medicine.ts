import type { Medication } from '../records/record-types';
import { readDetails } from './read-details';
import { type DoseRemark, MEDICATION, type MedicineDetails } from './schemas/medication';

/** A medication with what of it fits the schema. */
export type Medicine = Omit<Medication, 'details'> & { details: MedicineDetails };

/** The view of a medication, as it is stored or exported. Members that another client wrote in another shape are left out. */
export function asMedicine<R extends { details: object }>(
  medication: R,
): Omit<R, 'details'> & { details: MedicineDetails } {
  return { ...medication, details: readDetails(MEDICATION, { ...medication.details }) };
}

/** Why a dose was skipped, where somebody said it. */
export function skipReasonOf({ details }: Pick<Medicine, 'details'>, doseId: string): string | undefined {
  return details.skips?.find(({ dose }) => dose === doseId)?.reason;
}

/** What a person said of a dose. */
export function remarkOf({ details }: Pick<Medicine, 'details'>, doseId: string): DoseRemark | undefined {
  return details.remarks?.find(({ dose }) => dose === doseId);
}
