import { IdleLock, type ActivitySource } from './idle-lock';

class FakeWindow implements ActivitySource {
  readonly #listeners = new Map<string, Set<() => void>>();
  addEventListener(type: string, listener: () => void): void {
    this.#listeners.set(type, (this.#listeners.get(type) ?? new Set()).add(listener));
  }
  removeEventListener(type: string, listener: () => void): void {
    this.#listeners.get(type)?.delete(listener);
  }
  fire(type: string): void {
    this.#listeners.get(type)?.forEach((listener) => listener());
  }
}

const AFTER_MS = 60_000;
let activity: FakeWindow;
let locked: number;
let told: number;
let idle: IdleLock;

beforeEach(() => {
  jest.useFakeTimers();
  activity = new FakeWindow();
  locked = told = 0;
  const lock = () => {
    locked += 1;
    idle.stop();
  };
  idle = new IdleLock({ afterMs: AFTER_MS, activity }, lock, () => (told += 1));
  idle.start();
});
afterEach(() => {
  idle.close();
  jest.useRealTimers();
});

it('locks after the time without activity, not before, and once', () => {
  jest.advanceTimersByTime(AFTER_MS - 1);
  expect(locked).toBe(0);
  jest.advanceTimersByTime(AFTER_MS * 3);
  expect(locked).toBe(1);
});

it.each(['pointerdown', 'keydown', 'wheel', 'touchstart'])(
  '%s puts it off, and is told to other tabs',
  (type) => {
    jest.advanceTimersByTime(AFTER_MS - 1000);
    activity.fire(type);
    activity.fire(type);
    jest.advanceTimersByTime(AFTER_MS - 1000);
    expect([locked, told]).toEqual([0, 1]);
    jest.advanceTimersByTime(1000);
    expect(locked).toBe(1);
  },
);

it('activity in another tab puts it off and is not told back', () => {
  jest.advanceTimersByTime(AFTER_MS - 1000);
  idle.noteActivity(true);
  jest.advanceTimersByTime(AFTER_MS - 1000);
  expect([locked, told]).toEqual([0, 0]);
});

it.each(['pointerdown', 'visibilitychange', 'focus'])('a device that slept locks at its first %s', (type) => {
  // While a device sleeps, its timers stand still and its clock continues.
  jest.setSystemTime(Date.now() + AFTER_MS);
  activity.fire(type);
  expect(locked).toBe(1);
});

it('counts only while it is unlocked, and hears nothing when it is closed', () => {
  idle.stop();
  jest.advanceTimersByTime(AFTER_MS * 2);
  idle.start();
  idle.close();
  jest.setSystemTime(Date.now() + AFTER_MS);
  activity.fire('focus');
  expect(locked).toBe(0);
});

it('follows a time that changes while it counts, and never locks after an endless one', () => {
  let afterMs = Infinity;
  idle.close();
  idle = new IdleLock(
    { afterMs: () => afterMs, activity },
    () => {
      locked += 1;
      idle.stop();
    },
    () => undefined,
  );
  idle.start();
  jest.advanceTimersByTime(AFTER_MS * 100);
  expect(locked).toBe(0);
  afterMs = AFTER_MS;
  jest.advanceTimersByTime(AFTER_MS / 2);
  expect(locked).toBe(1);
});
