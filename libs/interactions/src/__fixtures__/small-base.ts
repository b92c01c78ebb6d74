import { join } from 'node:path';
import { compileFiles, type Compilation } from '../build/compile-knowledge';
import { readKnowledgeFiles } from '../build/knowledge-reader';
import type { KnowledgeBase } from '../compiled-base';

const TEXTS = `summary: Taking {a} with {b} can harm.
    mechanism: One thing happens. Another follows.
    management: Do this. Then do that.`;
const ESTABLISHED = `evidence: established
    ${TEXTS}`;

/** The files of a small, readable knowledge base. Invented for tests; not medical information. */
export const SMALL_BASE_FILES: Readonly<Record<string, string>> = {
  'manifest.yaml': `
version: "1.2.3"
released: 2026-11-20
review: { reviewer: editor, months: { contraindicated: 12, major: 12, moderate: 24, minor: 36, none: 36 } }
changelog: [{ version: "1.2.3", date: 2026-11-20, changes: [first] }]
`,
  'sources.yaml': `
sources:
  - { id: s1, title: First source, publisher: One, year: 2020, url: "https://example.org/" }
  - { id: s2, title: Second source, publisher: Two, year: 2021, url: "https://example.org/" }
`,
  'local/local.yaml': `
local:
  - { id: l1, routes: [topical], a: { any: [{ tag: nsaid }, { ingredient: miconazole }, { ingredient: simvastatin }] }, reason: Stays., sources: [s1], reviewed: 2026-11-20 }
  - { id: l2, routes: [ophthalmic], a: { any: [{ tag: nsaid }, { ingredient: timolol }] }, reason: Stays., sources: [s1], reviewed: 2026-11-20 }
`,
  'tags/tags.yaml': `
tags:
  - { id: anticoagulant, name: blood thinner, definition: Thins., sources: [s1], reviewed: 2026-11-20 }
  - { id: vka, name: coumarin, definition: Coumarin., implies: [anticoagulant], sources: [s1], reviewed: 2026-11-20 }
  - { id: nsaid, name: NSAID, definition: Painkiller., sources: [s1], reviewed: 2026-11-20 }
  - { id: sedating, name: sedating, definition: Sedates., sources: [s1], reviewed: 2026-11-20 }
  - { id: statin, name: statin, definition: Statin., sources: [s1], reviewed: 2026-11-20 }
  - { id: inhibitor, name: inhibitor, definition: Inhibits., sources: [s1], reviewed: 2026-11-20 }
`,
  'ingredients/all.yaml': `
ingredients:
  - { inn: warfarin, brands: [Coumadin], tags: { vka: [s1] } }
  - { inn: apixaban, brands: [Eliquis], tags: { anticoagulant: [s1] } }
  - { inn: ibuprofen, brands: [Advil, Brufen], tags: { nsaid: [s1] } }
  - { inn: naproxen, brands: [Aleve], tags: { nsaid: [s1] } }
  - { inn: aspirin, synonyms: [acetylsalicylic acid, ASA], tags: { nsaid: [s1] } }
  - { inn: lithium, synonyms: [lithium carbonate], brands: [Priadel] }
  - { inn: paracetamol, usan: acetaminophen, synonyms: [APAP], brands: [Tylenol, Panadol] }
  - { inn: oxycodone, brands: [OxyContin], tags: { sedating: [s1] } }
  - { inn: alprazolam, brands: [Xanax], tags: { sedating: [s1] } }
  - { inn: ethanol, kind: alcohol, synonyms: [alcohol, beer, wine], tags: { sedating: [s1] } }
  - { inn: grapefruit, kind: food, synonyms: [grapefruit juice], tags: { inhibitor: [s1] } }
  - { inn: simvastatin, brands: [Zocor], tags: { statin: [s1] } }
  - { inn: pravastatin, tags: { statin: [s1] } }
  - { inn: clarithromycin, brands: [Biaxin], tags: { inhibitor: [s1] } }
  - { inn: miconazole, brands: [Daktarin], tags: { inhibitor: [s1] } }
  - { inn: timolol, brands: [{ name: Timoptic, routes: [ophthalmic] }] }
  - { inn: verapamil, synonyms: [verapamilo] }
  - { inn: salmeterol, routes: [inhaled], tags: { sedating: [s1] } }
  - { inn: methotrexate }
  - { inn: vitamin d, kind: vitamin, synonyms: [vitamin D3, colecalciferol] }
  - { inn: potassium, kind: mineral, synonyms: [potassium chloride] }
  - { inn: calcium, kind: mineral }
  - { inn: losartan, brands: [Cozaar] }
  - { inn: hydrochlorothiazide, synonyms: [HCTZ] }
  - { inn: amoxicillin, brands: [Amoxil] }
  - { inn: clavulanic acid, synonyms: [clavulanate] }
  - { inn: hydroxyzine, brands: [Atarax] }
  - { inn: hydralazine, brands: [Apresoline] }
  - { inn: prednisone }
  - { inn: prednisolone }
  - { inn: citalopram, brands: [Celexa] }
  - { inn: celecoxib, brands: [Celebrex], tags: { nsaid: [s1] } }
  - { inn: loratadine, brands: [Claritin] }
  - { inn: furosemide, brands: [Lasix] }
  - { inn: omeprazole, brands: [Losec] }
  - { inn: nitroglycerin, local_routes: keep, tags: { sedating: [s1] } }
`,
  'combinations/all.yaml': `
combinations:
  - { name: co-codamol demo, ingredients: [paracetamol, oxycodone], brands: [Percocet] }
  - { name: co-amoxiclav, ingredients: [amoxicillin, clavulanic acid], brands: [Augmentin] }
`,
  'rules/all.yaml': `
rules:
  - id: anticoagulant-nsaid
    a: { tag: anticoagulant }
    b: { tag: nsaid }
    severity: major
    action: avoid
    ${ESTABLISHED}
    sources: [s1, s2]
    reviewed: 2026-11-20
  - id: vka-nsaid-monitor
    a: { tag: nsaid }
    b: { tag: vka }
    severity: moderate
    action: monitor
    evidence: probable
    ${TEXTS}
    sources: [s1]
    reviewed: 2026-11-20
  - id: lithium-nsaid
    a: { ingredient: lithium }
    b: { tag: nsaid }
    severity: moderate
    action: monitor
    ${ESTABLISHED}
    sources: [s1]
    reviewed: 2026-11-20
    except: [{ a: { ingredient: aspirin }, b: { ingredient: lithium } }]
  - id: apixaban-naproxen
    a: { ingredient: naproxen }
    b: { ingredient: apixaban }
    severity: minor
    action: be_aware
    evidence: theoretical
    overrides: [{ rules: [anticoagulant-nsaid], reason: Naproxen is the exception here., sources: [s1] }]
    ${TEXTS}
    sources: [s1]
    reviewed: 2026-11-20
  - id: apixaban-celecoxib
    a: { ingredient: apixaban }
    b: { ingredient: celecoxib }
    severity: none
    reason: Checked and harmless.
    overrides: [anticoagulant-nsaid]
    sources: [s1]
    reviewed: 2026-11-20
  - id: sedating-sedating
    a: { tag: sedating }
    b: { tag: sedating }
    severity: major
    action: avoid
    ${ESTABLISHED}
    sources: [s1, s2]
    reviewed: 2026-11-20
  - id: statin-inhibitor
    a: { tag: statin }
    b: { tag: inhibitor }
    severity: contraindicated
    action: avoid
    ${ESTABLISHED}
    sources: [s1, s2]
    reviewed: 2026-11-20
  - id: statin-inhibitor-milder
    a: { ingredient: pravastatin }
    b: { tag: inhibitor }
    severity: minor
    action: be_aware
    evidence: probable
    overrides: [{ rules: [statin-inhibitor], reason: Pravastatin is not removed that way., sources: [s1] }]
    ${TEXTS}
    sources: [s1]
    reviewed: 2026-11-20
  - id: warfarin-miconazole
    a: { ingredient: warfarin }
    b: { ingredient: miconazole }
    severity: major
    action: avoid
    evidence: established
    local_routes: keep
    ${TEXTS}
    sources: [s1, s2]
    reviewed: 2026-11-20
  - id: timolol-verapamil
    a: { ingredient: timolol }
    b: { ingredient: verapamil }
    severity: major
    action: avoid
    ${ESTABLISHED}
    sources: [s1, s2]
    reviewed: 2026-11-20
  - id: salmeterol-clarithromycin
    a: { ingredient: salmeterol }
    b: { ingredient: clarithromycin }
    severity: moderate
    action: monitor
    ${ESTABLISHED}
    sources: [s1]
    reviewed: 2026-11-20
  - id: warfarin-vitamin-d-dog
    a: { ingredient: warfarin }
    b: { ingredient: vitamin d }
    species: [dog]
    severity: moderate
    action: monitor
    evidence: theoretical
    ${TEXTS}
    sources: [s1]
    reviewed: 2026-11-20
`,
  'duplicates/all.yaml': `
duplicates:
  - id: two-nsaids
    tag: nsaid
    severity: moderate
    action: avoid
    ${ESTABLISHED}
    sources: [s1]
    reviewed: 2026-11-20
    except: [{ b: { ingredient: aspirin } }]
  - id: paracetamol-twice
    ingredient: paracetamol
    severity: major
    action: avoid
    ${ESTABLISHED}
    sources: [s1, s2]
    reviewed: 2026-11-20
  - id: same-twice
    same_ingredient: true
    severity: moderate
    action: avoid
    ${ESTABLISHED}
    sources: [s1]
    reviewed: 2026-11-20
`,
  'doses/all.yaml': `
doses:
  - id: paracetamol-daily
    ingredient: paracetamol
    max_daily_mg: 4000
    severity: major
    action: adjust_dose
    evidence: established
    summary: This is more {a} than is safe in a day.
    mechanism: One thing happens. Another follows.
    management: Do this. Then do that.
    sources: [s1, s2]
    reviewed: 2026-11-20
  - id: methotrexate-weekly
    ingredient: methotrexate
    max_weekly_mg: 30
    frequency: weekly
    severity: contraindicated
    action: avoid
    evidence: established
    summary: This drug is taken once a week.
    mechanism: One thing happens. Another follows.
    management: Do this. Then do that.
    sources: [s1, s2]
    reviewed: 2026-11-20
  - id: vitamin-d-daily
    ingredient: vitamin d
    max_daily: 4000
    unit: IU
    severity: moderate
    action: adjust_dose
    evidence: established
    summary: This is a lot.
    mechanism: One thing happens. Another follows.
    management: Do this. Then do that.
    sources: [s1]
    reviewed: 2026-11-20
`,
  'species/all.yaml': `
species:
  - id: cat-paracetamol
    species: [cat]
    a: { ingredient: paracetamol }
    severity: contraindicated
    action: avoid
    evidence: established
    summary: Never give {a} to a cat.
    mechanism: One thing happens. Another follows.
    management: Do this. Then do that.
    sources: [s1, s2]
    reviewed: 2026-11-20
  - id: pets-nsaid
    species: [dog, cat]
    a: { tag: nsaid }
    severity: major
    action: avoid
    evidence: established
    summary: Never give {a} to a pet.
    mechanism: One thing happens. Another follows.
    management: Do this. Then do that.
    sources: [s1, s2]
    reviewed: 2026-11-20
`,
  'lookalikes.yaml': `
lookalikes:
  - [hydroxyzine, hydralazine]
  - [Celexa, Celebrex]
  - [Losec, Lasix]
  - [prednisone, prednisolone]
`,
};

/** The texts of the engine are those of the real base. */
const TEXT_FILES = readKnowledgeFiles(join(__dirname, '..', '..', 'knowledge', 'texts'));

/** Compiles the small base with some files replaced or added. */
export function compileSmallBase(changes: Readonly<Record<string, string>> = {}): Compilation {
  const files = Object.entries({ ...SMALL_BASE_FILES, ...changes });
  return compileFiles([...TEXT_FILES, ...files.map(([path, text]) => ({ path, text }))]);
}

/** The small base; throws when it has faults, so that no test uses an incomplete base. */
export function smallBase(): KnowledgeBase {
  const { base, problems } = compileSmallBase();
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return base;
}
