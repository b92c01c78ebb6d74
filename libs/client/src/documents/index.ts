export {
  componentsOf,
  MEASURES,
  measureOf,
  OWN_NAME_LENGTH,
  ownMetric,
  ownName,
  targetKey,
  targetOf,
  valueProblem,
  type Measure,
  type MeasureComponent,
  type ValueProblem,
} from './measures';
export { asVisit, type Visit } from './appointment';
export { asMedicine, remarkOf, skipReasonOf, type Medicine } from './medicine';
export {
  ADULT_AGE,
  ageOn,
  ALLERGY_CODES,
  asFamilyMember,
  CONDITION_CODES,
  monthsOn,
  personOf,
  toAskOf,
  type FamilyMember,
  type FamilyMemberDetails,
} from './person';
export { checkDetails } from './check-details';
export { readDetails } from './read-details';
export { APPOINTMENT, type VisitDetails } from './schemas/appointment';
export { DOCUMENTS } from './schemas/kinds';
export { HEALTH_STAT } from './schemas/health-stat';
export {
  DOSE_UNITS,
  MEDICATION,
  type DoseAmount,
  type DoseAmounts,
  type DoseRemark,
  type DoseStep,
  type DoseTimes,
  type DoseUnit,
  type MedicineChange,
  type MedicineDetails,
  type NameReading,
  type Pause,
  type SeenFindings,
  type SkipReason,
  type Stock,
} from './schemas/medication';
export type { DetailsSchema, MembersOf, OtherMembers, ValueOf } from './schemas/parts';
export { PROFILE, type EmergencyFacts, type HealthFact, type MeasureTarget } from './schemas/profile';
export { STORED_ROUTE } from './routes';
export { substancesOf } from './substances';
export {
  convert,
  parseDecimal,
  readUnit,
  roundFor,
  unitOf,
  UNITS,
  unitSymbol,
  type Quantity,
  type Unit,
} from './units';
