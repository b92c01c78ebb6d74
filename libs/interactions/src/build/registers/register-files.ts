import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { LocalRoute } from '../../types';
import { routeOfAtc, routeOfWords } from './register-routes';

/** One product of a register, in the words of the register. */
export interface RegisterRow {
  brand: string;
  ingredients: string[];
  /** Where the product acts: `systemic` for the whole body; absent when the register does not say. */
  route?: LocalRoute | 'systemic';
}

/** A register whose brands become names of the base. */
export interface Register {
  /** ISO 3166 code of the country; `EU` for central approvals. */
  country: string;
  /** The description of the source in the written file. */
  source: string;
  rows: (folder: string) => RegisterRow[];
}

type Columns = Record<string, string>;

/** The registers in the folder that the importer receives. */
export const REGISTERS: readonly Register[] = [
  {
    country: 'FR',
    source: 'ANSM, Base de donnees publique des medicaments, 2026-04-07, Licence Ouverte Etalab 2.0',
    rows: plusTable('brands/fr-bdpm-2026.tsv.gz', ({ route, form }) => routeOfWords(`${route} ${form}`)),
  },
  {
    country: 'CA',
    source: 'Health Canada, Drug Product Database, 2026-05-01, Open Government Licence Canada 2.0',
    rows: (folder) => [
      ...plusTable('brands/ca-dpd-2026.tsv.gz')(folder),
      ...plusTable('brands/ca-dpd-veterinary-2026.tsv.gz')(folder),
    ],
  },
  {
    country: 'EU',
    source: 'European Medicines Agency, medicines reports, 2026-03-14, EMA legal notice',
    rows: (folder) => [
      ...emaTable('brands/eu-ema-medicines-2026.tsv.gz')(folder),
      ...emaTable('brands/eu-ema-veterinary-2026.tsv.gz')(folder),
    ],
  },
  {
    country: 'IT',
    source: 'AIFA, Lista di trasparenza, 2020-10 and 2021-12, CC BY 4.0',
    rows: plusTable('brands/it-aifa-transparency-2021.tsv.gz', ({ atc }) => routeOfAtc(atc)),
  },
  {
    country: 'PL',
    source: 'Rejestr Produktow Leczniczych, 2026-08-13, Polish open data act 2021',
    rows: plusTable('brands/pl-rpl-2026.tsv.gz', ({ form }) => routeOfWords(form)),
  },
  {
    country: 'SG',
    source:
      'Health Sciences Authority Singapore, register of therapeutic products, 2026-03, Singapore Open Data Licence 1.0',
    rows: plusTable('brands/sg-hsa-2026.tsv.gz', ({ route, form }) => routeOfWords(`${route} ${form}`)),
  },
  {
    country: 'MY',
    source: 'National Pharmaceutical Regulatory Agency Malaysia, products, 2026-03, CC BY 4.0',
    rows: plusTable('brands/my-npra-2026.tsv.gz'),
  },
  {
    country: 'BR',
    source: 'ANVISA and CMED, price lists, 2025-11, decree 8.777/2016',
    rows: plusTable('brands/br-anvisa-cmed-2025.tsv.gz'),
  },
  {
    country: 'US',
    source: 'FDA, Orange Book 2024-11 and National Drug Code Directory 2015-12, public domain',
    rows: (folder) => [...orangeBook(folder), ...drugCodeDirectory(folder)],
  },
];

function plusTable(
  file: string,
  routeOf: (columns: Columns) => RegisterRow['route'] = () => undefined,
): Register['rows'] {
  return (folder) =>
    table(folder, file).map((columns) => ({
      brand: columns.brand,
      ingredients: columns.ingredients.split(' + '),
      route: routeOf(columns),
    }));
}

function emaTable(file: string): Register['rows'] {
  return (folder) =>
    table(folder, file).map(({ brand, inn, ingredients, atc = '' }) => ({
      brand,
      ingredients: (inn || ingredients).split(/\s*[;,/]\s*|\s+\+\s+/),
      route: routeOfAtc(atc),
    }));
}

function orangeBook(folder: string): RegisterRow[] {
  const [, ...lines] = linesOf(folder, 'orange-book-products-2024-11.txt.gz');
  return lines.map((line) => {
    const [ingredients, form, brand] = line.split('~');
    return { brand, ingredients: ingredients.split(/;\s*/), route: routeOfWords(form) };
  });
}

function drugCodeDirectory(folder: string): RegisterRow[] {
  // Allergens and homeopathic mixtures are not medicines with these ingredients.
  return table(folder, 'ndc-2015-distinct-products.tsv.gz')
    .filter(
      ({ substances }) =>
        substances &&
        !/POLLEN|VENOM|FEATHER|\bHAIR\b|\bROOT\b|\bSEED\b|\bBARK\b|\bTWIG\b|FLOWERING|NUX-VOMICA|PULSATILLA/.test(
          substances,
        ),
    )
    .map(({ proprietary_name: brand, substances, route }) => ({
      brand,
      ingredients: substances.split(/;\s*/),
      route: routeOfWords(route),
    }));
}

function table(folder: string, file: string): Columns[] {
  const [head, ...lines] = linesOf(folder, file);
  const names = head.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
}

function linesOf(folder: string, file: string): string[] {
  return gunzipSync(readFileSync(join(folder, file)))
    .toString('utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '');
}
