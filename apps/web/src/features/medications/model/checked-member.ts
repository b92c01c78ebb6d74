import type { InteractionResult } from '@app/client';
import type { FamilyMember } from '@app/client/documents';

/** The medicines of one member, with the findings of their check. */
export interface CheckedMember {
  member: FamilyMember;
  /** What was checked, by name. */
  names: string[];
  /** What belongs to the cabinet but is paused, so that it was not checked. */
  paused: string[];
  /** Absent for a species that cannot be checked. */
  findings?: InteractionResult[];
  /** The medicines of which nobody knows whether the dose is right, by name. */
  unsureDoses?: string[];
  /** The medicines whose limit needs the weight that nobody entered, by name. */
  unweighedDoses?: string[];
  /** What each name was read as. */
  substances?: ReadonlyMap<string, readonly string[]>;
  error?: unknown;
}
