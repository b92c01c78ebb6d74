import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Setting, SETTINGS } from '@app/config';

const README = join(__dirname, '../../README.md');
const TABLE = /(^## Settings\n[^|]*)((?:^\|.*\n)+)/m;

/** The rows of the table below `## Settings`, a list of cells each, without its head. */
function settingsTable(): string[][] {
  const rows = TABLE.exec(readFileSync(README, 'utf8'))?.[2].trimEnd().split('\n') ?? [];
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
  const expected = Object.entries<Setting<unknown>>(SETTINGS).map(rowOf);

  // After a change of the settings: UPDATE_README=1 npx jest test/architecture/readme-settings && npm run format
  if (process.env.UPDATE_README) {
    const rows = [['Setting', 'Default', 'What it is'], ['---', '---', '---'], ...expected];
    const table = rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
    writeFileSync(
      README,
      readFileSync(README, 'utf8').replace(TABLE, (_, before: string) => before + table),
    );
  }

  it('names every setting of libs/config, in its order, with its default and its words', () => {
    expect(settingsTable()).toEqual(expected);
  });
});
