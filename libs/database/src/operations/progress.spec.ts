import { Progress } from './progress';

describe('Progress', () => {
  it('says every five seconds what is done, and what is left at this speed', () => {
    const lines: string[] = [];
    let now = 0;
    const progress = new Progress(
      'Saved',
      100_000_000,
      (line) => lines.push(line),
      () => now,
    );
    const addAt = (seconds: number, bytes: number) => {
      now = seconds * 1000;
      progress.add(bytes);
    };
    addAt(1, 1_000_000);
    addAt(4.9, 1_000_000);
    expect(lines).toEqual([]);
    addAt(5, 3_000_000);
    addAt(6, 1);
    addAt(10, 44_999_999);
    // More than was expected.
    addAt(20, 80_000_000);
    expect(lines).toEqual([
      'Saved 5.0 of 100 MB, about 95 s left.',
      'Saved 50 of 100 MB, about 10 s left.',
      'Saved 100 of 100 MB, about 0 s left.',
    ]);
  });

  it('says nothing of quick work', () => {
    const log = jest.fn();
    new Progress('Loaded', 10, log).add(10);
    expect(log).not.toHaveBeenCalled();
  });
});
