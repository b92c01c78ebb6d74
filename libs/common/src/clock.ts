/** The service's only source of "now", so that a test can set it. */
export class Clock {
  /** The time of now. */
  now(): Date {
    return new Date();
  }
}
