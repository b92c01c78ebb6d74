import { Initial1760000000000 } from './1760000000000-initial';
import { Changes1794000000000 } from './1794000000000-changes';
import { DeviceTokens1797100000000 } from './1797100000000-device-tokens';
import { DecoyShapes1797100000001 } from './1797100000001-decoy-shapes';
import { AllClientBytes1798000000000 } from './1798000000000-all-client-bytes';
import { FixedDecoys1798100000000 } from './1798100000000-fixed-decoys';
import { Operations1799100000000 } from './1799100000000-operations';
import { DoseProofs1799200000000 } from './1799200000000-dose-proofs';
import { EndedSessions1799300000000 } from './1799300000000-ended-sessions';
import { DeviceTokenList1799300000001 } from './1799300000001-device-token-list';
import { EventCounts1799400000000 } from './1799400000000-event-counts';
import { Passkeys1800200000000 } from './1800200000000-passkeys';
import { PlannedErasures1800300000000 } from './1800300000000-planned-erasures';
import { SecondStep1800400000000 } from './1800400000000-second-step';
import { AccountsInTrouble1800500000000 } from './1800500000000-accounts-in-trouble';
import { DoneWork1800510000000 } from './1800510000000-done-work';
import { Reminders1800900000000 } from './1800900000000-reminders';
import { NewKeys1801000000000 } from './1801000000000-new-keys';
import { Spaces1801100000000 } from './1801100000000-spaces';

/** In the order of execution. */
export const MIGRATIONS = [
  Initial1760000000000,
  Changes1794000000000,
  DeviceTokens1797100000000,
  DecoyShapes1797100000001,
  AllClientBytes1798000000000,
  FixedDecoys1798100000000,
  Operations1799100000000,
  DoseProofs1799200000000,
  EndedSessions1799300000000,
  DeviceTokenList1799300000001,
  EventCounts1799400000000,
  Passkeys1800200000000,
  PlannedErasures1800300000000,
  SecondStep1800400000000,
  AccountsInTrouble1800500000000,
  DoneWork1800510000000,
  Reminders1800900000000,
  NewKeys1801000000000,
  Spaces1801100000000,
];
