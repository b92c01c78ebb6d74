import { requireKnownMembers, type NamesOf } from '../inputs';
import type { CallOptions, ListOptions, LoginOptions } from './record-types';

/** Options of calls that are defined elsewhere. */
interface OtherOptions {
  onProgress: unknown;
  onAltered: unknown;
  person: unknown;
  language: unknown;
  timeZone: unknown;
}

/** The options of all calls. */
const OPTIONS: NamesOf<LoginOptions & ListOptions & OtherOptions> = {
  signal: true,
  deviceToken: true,
  deviceLabel: true,
  secondStep: true,
  pageSize: true,
  onUnreadable: true,
  onProgress: true,
  onAltered: true,
  person: true,
  language: true,
  timeZone: true,
};

/** @throws InvalidArgumentError for an unknown option. */
export function checkOptions(options: CallOptions): void {
  requireKnownMembers(options, OPTIONS, 'The options');
}

/** The signal of a call as a member of a request. @throws InvalidArgumentError for an unknown option. */
export function signalOf(options: CallOptions): { signal?: AbortSignal } {
  checkOptions(options);
  return options.signal ? { signal: options.signal } : {};
}
