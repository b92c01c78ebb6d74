import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Setting, SETTINGS } from '@app/config';

const README = readFileSync(join(__dirname, '../../README.md'), 'utf8');

/** The rows of the table below `## Settings`, a list of cells each, without its head. */
function settingsTable(): string[][] {
  const section = /^## Settings\n([\s\S]*?)^## /m.exec(README)?.[1] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** What the README must say. */
function rowOf([name, setting]: [string, Setting<unknown>]): string[] {
  const names = setting.secret ? `\`${name}\` \`${name}_FILE\`` : `\`${name}\``;
  return [names, setting.defaultText, setting.description];
}

describe("the README's table of settings", () => {
  it('names every setting of libs/config, in its order, with its default and its words', () => {
    expect(settingsTable()).toEqual(Object.entries<Setting<unknown>>(SETTINGS).map(rowOf));
  });
});
