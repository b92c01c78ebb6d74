/** A caller's place in a trace. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  flags: number;
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;

/**
 * Reads the header `traceparent`. An invalid one is ignored.
 *
 * Source: W3C Trace Context, section 3.2.
 *
 * Security: `tracestate` and `baggage` are not read, because they may hold anything.
 */
export function readTraceParent(header: string | string[] | undefined): TraceParent | undefined {
  const [, version, traceId, spanId, flags, more] = FORM.exec(String(header)) ?? [];
  if (traceId === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}
