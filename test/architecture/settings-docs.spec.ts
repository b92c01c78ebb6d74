import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Setting, SETTINGS } from '@app/config';

const SETTINGS_PAGE = join(__dirname, '../../docs/settings.md');
const TABLE = /(^# Settings\n[^|]*)((?:^\|.*\n)+)/m;

/** The rows of the table below `# Settings`, a list of cells each, without its head. */
function settingsTable(): string[][] {
  const rows = TABLE.exec(readFileSync(SETTINGS_PAGE, 'utf8'))?.[2].trimEnd().split('\n') ?? [];
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** What the page must say. */
function rowOf([name, setting]: [string, Setting<unknown>]): string[] {
  const names = setting.secret ? `\`${name}\` \`${name}_FILE\`` : `\`${name}\``;
  return [names, setting.defaultText, setting.description];
}

describe('the table of settings in docs/settings.md', () => {
  const expected = Object.entries<Setting<unknown>>(SETTINGS).map(rowOf);

  // After a change of the settings: UPDATE_DOCS=1 npx jest test/architecture/settings-docs && npm run format
  if (process.env.UPDATE_DOCS) {
    const rows = [['Setting', 'Default', 'What it is'], ['---', '---', '---'], ...expected];
    const table = rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
    writeFileSync(
      SETTINGS_PAGE,
      readFileSync(SETTINGS_PAGE, 'utf8').replace(TABLE, (_, before: string) => before + table),
    );
  }

  it('names every setting of libs/config, in its order, with its default and its words', () => {
    expect(settingsTable()).toEqual(expected);
  });
});
