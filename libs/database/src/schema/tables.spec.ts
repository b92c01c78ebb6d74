import { ExtensionError } from '@app/common';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OwnedEntity, RepeatableEntity } from './entities';
import { ProfileRecordEntity } from '../records/profile-record.repository';
import { ClientBytes, DistributedBy, RecordKind, SharedTable } from './table-decorators';
import { describeTable, describeTables, recountOf } from './tables';

const OfAccount = () => ForeignKey('accounts', ['account_id'], ['id'], { onDelete: 'CASCADE' });

@RecordKind('note')
@Entity('notes')
@OfAccount()
class NoteEntity extends ProfileRecordEntity {
  @ClientBytes()
  @Column('text', { name: 'title_text' })
  title: string;
}

@RecordKind('mark')
@Entity('marks')
@OfAccount()
class MarkEntity extends RepeatableEntity {}

@Entity('visits')
@OfAccount()
class VisitEntity extends OwnedEntity {}

@Entity('phones')
@DistributedBy('number')
class PhoneEntity {
  @PrimaryColumn('text')
  number: string;
}

@Entity('codes')
@SharedTable()
class CodeEntity {
  @PrimaryColumn('text')
  code: string;
}

describe('the table of an entity', () => {
  it('is known by its class and decorators alone', () => {
    expect(describeTables([NoteEntity, MarkEntity, VisitEntity, PhoneEntity, CodeEntity])).toEqual([
      {
        entity: NoteEntity,
        name: 'notes',
        distributedBy: 'account_id',
        isOnEveryNode: false,
        isRecord: true,
        kind: 'note',
        clientBytes: ['encrypted_data', 'title_text'],
        labels: [],
      },
      {
        entity: MarkEntity,
        name: 'marks',
        distributedBy: 'account_id',
        isOnEveryNode: false,
        isRecord: true,
        kind: 'mark',
        clientBytes: [],
        labels: [],
      },
      {
        entity: VisitEntity,
        name: 'visits',
        distributedBy: 'account_id',
        isOnEveryNode: false,
        isRecord: false,
        kind: undefined,
        clientBytes: [],
        labels: [],
      },
      {
        entity: PhoneEntity,
        name: 'phones',
        distributedBy: 'number',
        isOnEveryNode: false,
        isRecord: false,
        kind: undefined,
        clientBytes: [],
        labels: [],
      },
      {
        entity: CodeEntity,
        name: 'codes',
        distributedBy: undefined,
        isOnEveryNode: false,
        isRecord: false,
        kind: undefined,
        clientBytes: [],
        labels: [],
      },
    ]);
  });

  it('does not lend its marks to the entities beside it', () => {
    expect(describeTable(MarkEntity).clientBytes).toEqual([]);
    @RecordKind('letter')
    @Entity('letters')
    @OfAccount()
    class LetterEntity extends ProfileRecordEntity {}
    expect(describeTable(LetterEntity).clientBytes).toEqual(['encrypted_data']);
  });

  it('is counted anew by SQL that knows records alone', () => {
    expect(recountOf(describeTables([NoteEntity, VisitEntity, MarkEntity]))).toBe(
      'SELECT account_id, count(*) AS records, sum(bytes) AS bytes FROM (' +
        'SELECT account_id, coalesce(octet_length(encrypted_data), 0) + coalesce(octet_length(title_text), 0) AS bytes FROM notes' +
        ' UNION ALL SELECT account_id, 0 AS bytes FROM marks) stored GROUP BY account_id',
    );
  });
});

describe('an entity that does not fit is refused by its name:', () => {
  class Plain {}

  @Entity('notes')
  @OfAccount()
  class OtherNoteEntity extends OwnedEntity {}

  @Entity('open')
  class OpenEntity {
    @PrimaryColumn('uuid')
    id: string;
  }

  @Entity('second')
  @OfAccount()
  class SecondEntity {
    @PrimaryColumn('uuid')
    id: string;

    @PrimaryColumn('uuid')
    account_id: string;
  }

  @Entity('lasting')
  class LastingEntity extends OwnedEntity {}

  @Entity('kept')
  @ForeignKey('accounts', ['account_id'], ['id'], { onDelete: 'SET NULL' })
  class KeptEntity extends OwnedEntity {}

  @Entity('astray')
  @DistributedBy('number')
  class AstrayEntity {
    @PrimaryColumn('uuid')
    id: string;

    @Column('text')
    number: string;
  }

  @Entity('heavy')
  @OfAccount()
  class HeavyEntity extends OwnedEntity {
    @ClientBytes()
    @Column('text')
    text: string;
  }

  @Entity('nameless')
  @OfAccount()
  class NamelessEntity extends RepeatableEntity {}

  @RecordKind('note')
  @Entity('letters')
  @OfAccount()
  class LetterEntity extends RepeatableEntity {}

  @RecordKind('call')
  @Entity('calls')
  @OfAccount()
  class CallEntity extends OwnedEntity {}

  it.each([
    [[NamelessEntity], 'NamelessEntity lacks @RecordKind(): the name of its records in the feed.'],
    [[NoteEntity, LetterEntity], 'LetterEntity and NoteEntity are both of the kind note.'],
    [
      [CallEntity],
      'CallEntity has @RecordKind() and must extend RepeatableEntity: only records are in the feed.',
    ],
    [[Plain], 'Plain has no @Entity().'],
    [[NoteEntity, NoteEntity], 'NoteEntity is named twice among the entities.'],
    [[NoteEntity, OtherNoteEntity], 'OtherNoteEntity and NoteEntity are both the table notes.'],
    [[OpenEntity], /^OpenEntity belongs to no account: its primary key must begin with account_id/],
    [[SecondEntity], /^SecondEntity belongs to no account/],
    [
      [LastingEntity],
      /^LastingEntity outlives its account: it needs a foreign key that begins with account_id/,
    ],
    [[KeptEntity], /^KeptEntity outlives its account/],
    [
      [AstrayEntity],
      'AstrayEntity is distributed by number, which must be the first column of its primary key.',
    ],
    [
      [HeavyEntity],
      'HeavyEntity has @ClientBytes() and must extend RepeatableEntity: bytes are counted with their record.',
    ],
  ])('%j', (entities, sentence) => {
    expect(() => describeTables(entities)).toThrow(ExtensionError);
    expect(() => describeTables(entities)).toThrow(sentence);
  });
});
