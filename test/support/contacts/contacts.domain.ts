import { Controller, Injectable, Module } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  ClientBytes,
  Database,
  ownedTableV1,
  OwnedRepository,
  RecordKind,
  RevisedEntity,
  Syncs,
} from '@app/database';
import type { Extension } from '@app/extension';
import { EchoedFields, ListQuery, RevisedResponse, UuidField } from '@app/http';
import { ApiOpaque, OpaqueBlob, OpaqueJson } from '@app/opaque';
import { RecordController, RecordService } from '@app/records';
import { Column, Entity, ForeignKey, Index, type MigrationInterface, type QueryRunner } from 'typeorm';

const TABLE = ownedTableV1({
  name: 'contacts',
  kind: 'contact',
  columns: { encrypted_data: 'text NOT NULL' },
  clientBytes: ['encrypted_data'],
});

class Contacts1796000000000 implements MigrationInterface {
  readonly name = 'Contacts1796000000000';

  up(queryRunner: QueryRunner): Promise<void> {
    return TABLE.create(queryRunner);
  }

  down(queryRunner: QueryRunner): Promise<void> {
    return TABLE.drop(queryRunner);
  }
}

@RecordKind('contact')
@Entity('contacts')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'contacts_account_fkey', onDelete: 'CASCADE' })
@Index('contacts_by_age', ['account_id', 'created_at', 'id'])
@Index('contacts_idempotency', ['account_id', 'idempotency_key'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
class ContactEntity extends RevisedEntity {
  @ClientBytes()
  @Column('text')
  encrypted_data: string;
}

class CreateContactRequest {
  @UuidField({ optional: true })
  id?: string;

  @OpaqueBlob()
  encrypted_data: OpaqueJson;
}

class UpdateContactRequest extends EchoedFields {
  @OpaqueBlob({ optional: true })
  encrypted_data?: OpaqueJson;
}

class ListContactsQuery extends ListQuery {}

class ContactResponse extends RevisedResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiOpaque()
  encrypted_data: OpaqueJson;
}

@Injectable()
class ContactsRepository extends OwnedRepository<ContactEntity> {
  constructor(database: Database) {
    super(database, {
      entity: ContactEntity,
      orderBy: 'created_at',
      direction: 'DESC',
      changedAt: 'updated_at',
      filters: {},
    });
  }
}

@Injectable()
@Syncs(ContactEntity)
class ContactsService extends RecordService<
  ContactEntity,
  CreateContactRequest,
  UpdateContactRequest,
  ContactResponse
> {
  constructor(contacts: ContactsRepository) {
    super(contacts, 'contact');
  }

  protected toRow({ encrypted_data }: CreateContactRequest | UpdateContactRequest) {
    return { encrypted_data: encrypted_data?.text };
  }

  protected toResponse = ({ id, encrypted_data, created_at, updated_at, revision }: ContactEntity) => ({
    id,
    encrypted_data: new OpaqueJson(encrypted_data),
    created_at,
    updated_at,
    revision,
  });
}

@Controller('contacts')
class ContactsController extends RecordController({
  response: ContactResponse,
  list: { summary: 'List contacts', query: ListContactsQuery },
  create: { summary: 'Create one contact', body: CreateContactRequest, errors: [] },
  get: { summary: 'Read one contact' },
  update: { summary: 'Update one contact', body: UpdateContactRequest },
  delete: { summary: 'Delete one contact' },
  changes: 'PUT',
}) {
  constructor(contacts: ContactsService) {
    super(contacts);
  }
}

@Module({ controllers: [ContactsController], providers: [ContactsService, ContactsRepository] })
class ContactsModule {}

/** A kind of records that belong to the account itself. */
export const CONTACTS: Extension = {
  modules: [ContactsModule],
  entities: [ContactEntity],
  migrations: [Contacts1796000000000],
};
