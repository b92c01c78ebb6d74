import { Injectable } from '@nestjs/common';
import { Database, Housekeeping, type Statement } from '@app/database';
import { REFERENCE_SHAPE, type TextShape, type WrapShape } from '@app/security';
import { majorityShape } from './decoy-shape.rule';
import type { RecoveryInfoResponse } from './dto/recovery-info.response';
import type { DecoyShapeEntity } from './entities/decoy-shape.entity';

const FIND: Statement = {
  name: 'decoy shapes find',
  text: 'SELECT wrap_encoding, wrap_bytes, iv_encoding, iv_bytes FROM decoy_shapes',
};
/** The oldest accounts. Housekeeping runs this until a shape is decided; it never takes long. */
const SAMPLE: Statement = {
  name: 'decoy shapes sample',
  text: 'SELECT recovery_wrapped_dek, recovery_wrapped_dek_iv FROM accounts WHERE id > $1 ORDER BY id LIMIT 200',
};
/** Less than every other UUID. */
const NIL = '00000000-0000-0000-0000-000000000000';
const INSERT: Statement = {
  name: 'decoy shapes insert',
  text: `INSERT INTO decoy_shapes (name, wrap_encoding, wrap_bytes, iv_encoding, iv_bytes)
    VALUES ('recovery', $1, $2, $3, $4) ON CONFLICT (name) DO NOTHING`,
};

/**
 * The shape of the decoys of recovery-info.
 *
 * It is decided once, in the background, as soon as enough accounts agree. It never changes afterwards.
 *
 * Security: a change of the shape shows who has an account to somebody who compares answers from before and
 * after. At the only change, the accounts that agree had another shape than the decoys before, so they could
 * be told apart already.
 */
@Injectable()
export class DecoyShapesRepository {
  constructor(
    private readonly database: Database,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add(() => this.decide());
  }

  async find(): Promise<WrapShape> {
    return (await this.findDecided()) ?? REFERENCE_SHAPE;
  }

  private async findDecided(): Promise<WrapShape | undefined> {
    const [row] = await this.database.query<DecoyShapeEntity>(FIND, []);
    return (
      row && { wrap: shape(row.wrap_encoding, row.wrap_bytes), iv: shape(row.iv_encoding, row.iv_bytes) }
    );
  }

  private async decide(): Promise<void> {
    if (await this.findDecided()) return;
    const decided = majorityShape(await this.database.query<RecoveryInfoResponse>(SAMPLE, [NIL]));
    if (!decided) return;
    const { wrap, iv } = decided;
    await this.database.query(INSERT, [wrap.encoding, wrap.bytes, iv.encoding, iv.bytes]);
  }
}

function shape(encoding: string, bytes: number): TextShape {
  return { encoding: encoding as TextShape['encoding'], bytes };
}
