import type { ClientConfig } from 'pg';
import type { Statement } from '../statement';
import { Lane } from './lane';
import { asTexts } from './messages';

/** A database that has no more connections to give is not asked for one at every read. */
const REST_MS = 1_000;

/** A few pipelined connections: opened when there is use for them, replaced when they break. */
export class Lanes {
  private lanes: Lane[] = [];
  private opening: Promise<Lane> | undefined;
  private isClosed = false;
  private restingUntil = 0;

  constructor(
    private readonly config: ClientConfig,
    private readonly count: number,
  ) {}

  get open(): number {
    return this.lanes.length;
  }

  /** Rejects with `pg`'s errors, untranslated, and with ServiceError `overloaded`. */
  async query<R>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    const lane = this.leastBusy() ?? (await this.openAnother());
    const [answer] = await lane.transaction([{ statement, texts: asTexts(values) }]);
    return answer.takeRows<R>();
  }

  /** One that is open. Rejects with the errors of `Lane.open`. */
  async lane(): Promise<Lane> {
    return this.leastBusy() ?? this.openAnother();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.opening?.catch(ignore);
    await Promise.all(this.lanes.splice(0).map((lane) => lane.close()));
  }

  private leastBusy(): Lane | undefined {
    let best: Lane | undefined;
    for (const lane of this.lanes) if (best === undefined || lane.load < best.load) best = lane;
    // Nobody waits for the next one: the answer may well come first.
    if (
      best !== undefined &&
      best.load > 0 &&
      this.lanes.length < this.count &&
      Date.now() >= this.restingUntil
    )
      this.openAnother().catch(() => (this.restingUntil = Date.now() + REST_MS));
    return best;
  }

  /** One at a time, whoever asks. */
  private openAnother(): Promise<Lane> {
    return (this.opening ??= this.connect().finally(() => (this.opening = undefined)));
  }

  private async connect(): Promise<Lane> {
    if (this.isClosed) throw new Error('Client was closed');
    const lane = await Lane.open(this.config, () => {
      this.lanes = this.lanes.filter((other) => other !== lane);
    });
    this.lanes.push(lane);
    return lane;
  }
}

const ignore = () => undefined;
