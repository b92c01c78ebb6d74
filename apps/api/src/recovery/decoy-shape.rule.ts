import type { TextShape, WrapShape } from '@app/security';
import type { RecoveryInfoResponse } from './dto/recovery-info.response';

/** With fewer accounts, a few tests of an operator could decide. */
export const ACCOUNTS_FOR_A_SHAPE = 10;

/**
 * The shape that more than half of the stored wraps have. `undefined` if there are too few wraps, or if no
 * shape has the majority.
 */
export function majorityShape(wraps: readonly RecoveryInfoResponse[]): WrapShape | undefined {
  if (wraps.length < ACCOUNTS_FOR_A_SHAPE) return undefined;
  const counts = new Map<string, number>();
  for (const { recovery_wrapped_dek: dek, recovery_wrapped_dek_iv: iv } of wraps) {
    const shape = JSON.stringify({ wrap: shapeOf(dek), iv: shapeOf(iv) });
    counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  const [most] = [...counts].filter(([, count]) => count > wraps.length / 2);
  if (!most) return undefined;
  const { wrap, iv } = JSON.parse(most[0]) as Partial<WrapShape>;
  return wrap && iv && { wrap, iv };
}

/** How a text encodes bytes. `undefined` if it is none of the known encodings. */
export function shapeOf(text: string): TextShape | undefined {
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    const bytes = Buffer.from(text, encoding);
    if (bytes.length > 0 && bytes.toString(encoding) === text) return { encoding, bytes: bytes.length };
  }
  return undefined;
}
