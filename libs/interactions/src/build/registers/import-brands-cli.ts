import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { knowledgeFolder, optionOf } from '../arguments';
import { compileFiles } from '../compile-knowledge';
import { readKnowledgeFiles } from '../knowledge-reader';
import { complain, print } from '../output';
import { selectBrands, writeBrands } from './brand-selection';
import { IngredientFinder } from './ingredient-finder';
import { REGISTERS } from './register-files';

/**
 * Makes the brand files of the knowledge base from official registers.
 * Usage: import-brands-cli <folder of the registers> [--out <folder>] [--missing]; --missing lists
 * ingredients that are not in the base.
 */
function main(args: readonly string[]): void {
  const [folder] = args;
  if (!folder || folder.startsWith('--')) {
    complain('Name the folder that holds the registers.');
    process.exitCode = 1;
    return;
  }
  const out = resolve(optionOf(args, '--out') ?? join(knowledgeFolder([]), 'brands'));
  const files = readKnowledgeFiles(knowledgeFolder(args)).filter(({ path }) => !path.startsWith('brands/'));
  const { base } = compileFiles(files);
  const finder = new IngredientFinder(base, folder);
  mkdirSync(out, { recursive: true });
  for (const register of REGISTERS) {
    const rows = register.rows(folder);
    const brands = selectBrands(register.country, rows, finder, base);
    writeFileSync(join(out, `${register.country.toLowerCase()}.tsv`), writeBrands(register, brands, base));
    print(`${register.country}: ${rows.length} rows, ${brands.length} brands`);
  }
  if (!args.includes('--missing')) return;
  const missing = [...finder.missing].sort(([, a], [, b]) => b - a).slice(0, 400);
  for (const [text, count] of missing) print(`${count}\t${text}`);
}

main(process.argv.slice(2));
