/** The parts of this library that a module outside this repository may use. Everything else may change. */
export { Database } from './connection/database';
export { isForeignKeyViolation } from './connection/database-errors';
export { OwnedEntity, RepeatableEntity, RevisedEntity } from './schema/entities';
export { Housekeeping } from './operations/housekeeping';
export { type ClientBytesV1, clientBytesV1 } from './migrations/client-bytes-v1';
export { type OwnedTableV1, ownedTableV1 } from './migrations/owned-table-v1';
export { safeId } from './records/owned-values';
export { type ListRequest, OwnedRepository, type UpdateRequest } from './records/owned.repository';
export type { OwnedShape } from './records/owned-statements';
export { ProfileRecordEntity, ProfileRecordRepository } from './records/profile-record.repository';
export type { MigrationClass } from './schema/schema';
export { findSchemaFaults } from './schema/schema-faults';
export { assertLiveSession } from './records/sessions';
export type { Executor, Statement } from './connection/statement';
export { type SyncSource, Syncs } from './records/syncs';
export { ClientBytes, DistributedBy, RecordKind, SharedTable } from './schema/table-decorators';
export { describeTables, type EntityClass, recountOf, type Table } from './schema/tables';
