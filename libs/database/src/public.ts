/** The parts of this library that a module outside this repository may use. Everything else may change. */
export { Database } from './database';
export { isForeignKeyViolation } from './database-errors';
export { OwnedEntity, RepeatableEntity, RevisedEntity } from './entities';
export { Housekeeping } from './housekeeping';
export { type ClientBytesV1, clientBytesV1 } from './migrations/client-bytes-v1';
export { type OwnedTableV1, ownedTableV1 } from './migrations/owned-table-v1';
export { safeId } from './owned-values';
export { type ListRequest, OwnedRepository, type UpdateRequest } from './owned.repository';
export type { OwnedShape } from './owned-statements';
export { ProfileRecordEntity, ProfileRecordRepository } from './profile-record.repository';
export type { MigrationClass } from './schema';
export { findSchemaFaults } from './schema-faults';
export { assertLiveSession } from './sessions';
export type { Executor, Statement } from './statement';
export { type SyncSource, Syncs } from './syncs';
export { ClientBytes, DistributedBy, RecordKind, SharedTable } from './table-decorators';
export { describeTables, type EntityClass, recountOf, type Table } from './tables';
