export { HealthRecordsClient } from './client';
export { openAccountKey, type AccountKey } from './crypto/account-key';
export type { ClientState, HealthRecordsClientOptions, ProfileCheckOptions } from './client-options';
export type { AccountSummary } from './account/account';
export type { AccountUsage } from './account/usage';
export type { KeyReplacement } from './account/key-rotation';
export type { Registration } from './account/registration';
export type { SecurityEvent, SecurityEventKind, SecurityEvents } from './account/security-events';
export type { DeviceSession, Sessions } from './account/sessions';
export { MIN_PASSWORD_LENGTH } from './account/credentials';
export {
  estimateSecret,
  MIN_GUESSES_LOG10,
  type SecretStrength,
  type StrengthOptions,
} from './account/strength';
export {
  derivePasswordKeys,
  KDF_NAME,
  MAX_KDF_ITERATIONS,
  MIN_KDF_ITERATIONS,
  type KdfParameters,
  type PasswordKeys,
} from './crypto/password-keys';
export { deriveRecoveryKeys, RECOVERY_ITERATIONS, type RecoveryKeys } from './crypto/recovery-keys';
export { generateRecoveryPhrase, normalizeRecoveryPhrase, PHRASE_WORDS } from './crypto/recovery-phrase';
export {
  generateDataKey,
  rewrapDataKey,
  unwrapDataKey,
  wrapDataKey,
  type WrappedKey,
} from './crypto/key-wrapping';
export type { KeyPurpose, RecordKind, RecordPlace } from './crypto/labels';
export type { Ancestry, Lineage } from './crypto/lineage';
export { paddedLength } from './crypto/padding';
export { openProfileKey, wrapProfileKey, type OpenProfileKey, type ProfileKey } from './crypto/profile-key';
export {
  decryptRecord,
  encryptRecord,
  type EncryptedFieldWire,
  type OpenedRecord,
} from './crypto/record-cipher';
export type { Key } from './crypto/web-crypto';
export { DeviceStorageError } from './device-storage-error';
export * from './errors';
export type { ActivitySource, IdleLockOptions } from './account/idle-lock';
export type { OpenChannel, TabChannel } from './account/tabs';
export type { ClientEvents, LockReason, SessionEndReason } from './events';
export type { HttpAnswer, HttpRequest, HttpTransportOptions } from './http/http-transport';
export { inProcessLock, type LockRunner } from './http/locks';
export type { RetryPolicy } from './http/retry-policy';
export {
  MemorySessionStore,
  WebStorageSessionStore,
  type NoticeLocks,
  type SessionStore,
  type StorageArea,
  type StorageEvents,
  type StoredSession,
  type WebStorageOptions,
} from './http/session-store';
export { KeyValueSessionStore, type KeyValueStorage } from './http/key-value-session-store';
export type { Bytes } from './encoding';
export { newId } from './ids';
export type { NamesOf } from './inputs';
export type {
  NewApp,
  NewPasskey,
  Passkey,
  PasskeyLogin,
  PasskeyLoginOptions,
  Passkeys,
  PasskeysFactory,
  SecondStepAsked,
  SecondStepChoice,
  SecondSteps,
  SecondStepState,
} from './passkeys/passkey-types';
export type {
  CheckNewRequest,
  CheckRequest,
  DeviceCheckNewRequest,
  DeviceCheckRequest,
  InteractionEngine,
  InteractionEngineFactory,
  InteractionKind,
  InteractionResult,
  Person,
  KnownName,
  ResolvedName,
  Species,
} from './interactions/interaction-types';
export { type Interactions } from './interactions/interactions';
export type { KnowledgeTrustOptions } from './interactions/knowledge-trust';
export type { Json, JsonObject } from './json';
export type { RecordsChanged, Resolution, SyncProblem, SyncStatus } from './offline/offline-host';
export { OutboxNotEmptyError } from './offline/outbox-not-empty-error';
export type { ClientSync, OfflineStore } from './offline/offline-store';
export {
  historyOf,
  questionsOf,
  type OpenQuestion,
  type RecordQuestion,
  type ReplacedValue,
} from './records/merge-records';
export type { EditStamp, EditTimes } from './crypto/edit-time';
export {
  APPOINTMENT_STATUSES,
  type AppointmentFilter,
  type AppointmentInput,
  type Appointments,
} from './records/appointments';
export { EncryptedCollection, requireText } from './records/encrypted-collection';
export type { CollectionDefinition, NewRecord, RecordChanges } from './records/collection-definition';
export {
  defineRecordKind,
  RecordCollection,
  type AccountCollection,
  type AccountKind,
  type AnyKind,
  type ProfileKind,
  type RecordKindOptions,
} from './records/record-kind';
export type { DetailsOf, FieldType, FieldTypes, PlainOf } from './records/record-fields';
export type { StandardResult, StandardSchema } from './documents/standard-schema';
export type { RecordRoute } from './records/record-gateway';
export type { ServiceAnswer, ServiceRequest } from './http/service-request';
export { ObjectReader } from './http/object-reader';
export { WebStorageHeadStore, type HeadStore } from './records/head-store';
export type { HealthStatFilter, HealthStats, TrendQuery } from './records/health-stats';
export type { Medications } from './records/medications';
export type { Profiles } from './records/profiles';
export type { NewProfile } from './records/sealed-profile';
export type * from './records/record-types';
export { decryptFile, encryptFile, inspectFile, type FileSecret } from './transfer/encrypted-file';
export {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  parseExportDocument,
  type ExportDocument,
  type ExportedAppointment,
  type ExportedDose,
  type ExportedHealthStat,
  type ExportedMedication,
  type ExportedProfile,
  type ExportedRecord,
} from './transfer/export-document';
export type { ExportOptions, ImportOptions, ImportReport, Transfer } from './transfer/transfer';
export { localDate } from './trends/local-date';
export { computeTrend, type Reading, type Trend, type TrendDay } from './trends/trend';
