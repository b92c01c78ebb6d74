import type { InteractionResult } from '@app/client';
import { checkAddition, checkCabinet, type TakenMedicine } from './cabinet-check';

const finding = (kind: string, severity: string, ruleId: string, ...medications: string[]) =>
  ({
    kind,
    severity,
    ruleId,
    medications,
    matches: [{ input: medications[0] }],
  }) as unknown as InteractionResult;
const FRAME = { species: 'human', language: 'en' } as const;
const METHOTREXATE: TakenMedicine = {
  name: 'Methotrexate',
  dosage: '1 x 10 mg 1 times a day',
  hasLimit: true,
};
const IBUPROFEN: TakenMedicine = { name: 'Ibuprofen', dosage: '', hasLimit: false };
const PANADOL: TakenMedicine = { name: 'Panadol', dosage: '2 x 500 mg every 4 hours', hasLimit: true };

/** What the checks answer, by the texts they are asked. */
function answering(answers: Record<string, InteractionResult[]>) {
  const asked: string[] = [];
  const answer = (text: string) => {
    asked.push(text);
    return Promise.resolve(answers[text] ?? []);
  };
  return {
    asked,
    check: ({ medications }: { medications: readonly string[] }) => answer(medications.join(' + ')),
    checkNew: ({
      name,
      dosage,
      medications = [],
    }: {
      name: string;
      dosage?: string;
      medications?: readonly string[];
    }) => answer([`${name}: ${dosage}`, ...medications].join(' | ')),
  };
}

describe('the check of all medicines of a person', () => {
  it('asks for the names alone, for all doses, and for each dose; the worst comes first', async () => {
    const checks = answering({
      'Methotrexate + Ibuprofen': [finding('interaction', 'major', 'pair', 'Ibuprofen', 'Methotrexate')],
      'Methotrexate 1 x 10 mg 1 times a day': [
        finding('dose_ceiling', 'contraindicated', 'weekly', 'Methotrexate 1 x 10 mg 1 times a day'),
        finding('unrecognized', 'unknown', 'name', 'Methotrexate 1 x 10 mg 1 times a day'),
      ],
      'Methotrexate: 1 x 10 mg 1 times a day': [
        finding('dose_ceiling', 'contraindicated', 'weekly', 'Methotrexate'),
      ],
    });
    const { findings, unsureDoses } = await checkCabinet(checks, [METHOTREXATE, IBUPROFEN], FRAME);
    expect(
      findings.map(({ ruleId, medications, matches }) => [ruleId, medications, matches[0].input]),
    ).toEqual([
      ['weekly', ['Methotrexate'], 'Methotrexate'],
      ['pair', ['Ibuprofen', 'Methotrexate'], 'Ibuprofen'],
    ]);
    expect(unsureDoses).toEqual(['Ibuprofen']);
    expect(checks.asked).toHaveLength(3);
  });

  it('says which doses nobody could check: unread, without a limit, and as needed without an end', async () => {
    const asNeeded = { name: 'Codeine', dosage: '1 x 30 mg', hasLimit: false };
    const checks = answering({
      'Panadol: 2 x 500 mg every 4 hours': [finding('dose_unchecked', 'unknown', 'child', 'Panadol')],
    });
    const { findings, unsureDoses } = await checkCabinet(checks, [PANADOL, asNeeded], FRAME);
    expect([findings, unsureDoses]).toEqual([[], ['Codeine', 'Panadol']]);
  });

  it('says whose limit needs a weight, also where the dose is too high at any weight', async () => {
    const calpol = { name: 'Calpol', dosage: '1 x 2 g 4 times a day', hasLimit: true };
    const checks = answering({
      'Panadol: 2 x 500 mg every 4 hours': [
        finding('dose_unchecked', 'none', 'child-dose-without-weight', 'Panadol'),
      ],
      'Calpol: 1 x 2 g 4 times a day': [
        finding('dose_ceiling', 'major', 'above', 'Calpol'),
        finding('dose_unchecked', 'none', 'child-dose-without-weight', 'Calpol'),
      ],
    });
    const { unsureDoses, unweighedDoses } = await checkCabinet(checks, [PANADOL, calpol], FRAME);
    expect([unsureDoses, unweighedDoses]).toEqual([['Panadol'], ['Calpol', 'Panadol']]);
  });

  it('finds one dose that is too high, and the sum of two products once', async () => {
    const other = { name: 'Paracetamol', dosage: '1 x 1 g 4 times a day', hasLimit: true };
    const texts = ['Panadol 2 x 500 mg every 4 hours', 'Paracetamol 1 x 1 g 4 times a day'];
    const checks = answering({
      [texts.join(' + ')]: [finding('dose_ceiling', 'major', 'ceiling', ...texts)],
      'Panadol: 2 x 500 mg every 4 hours': [finding('dose_ceiling', 'major', 'ceiling', 'Panadol')],
    });
    const { findings } = await checkCabinet(checks, [PANADOL, other], FRAME);
    expect(findings.map(({ medications }) => medications)).toEqual([['Panadol', 'Paracetamol']]);
  });
});

describe('the check of one more medicine', () => {
  it('holds the sum of one substance against its limit, and names the others as the person does', async () => {
    const calpol = { name: 'Calpol', dosage: '1 x 500 mg 3 times a day' };
    const checks = answering({
      'Calpol: 1 x 500 mg 3 times a day | Panadol | Ibuprofen': [
        finding('interaction', 'major', 'pair', 'Calpol', 'Ibuprofen'),
        finding('dose_unchecked', 'unknown', 'none', 'Calpol'),
      ],
      'Calpol: 1 x 500 mg 3 times a day | Panadol 2 x 500 mg every 4 hours': [
        finding('dose_ceiling', 'contraindicated', 'ceiling', 'Calpol', 'Panadol 2 x 500 mg every 4 hours'),
        finding('duplicate_therapy', 'major', 'twice', 'Calpol', 'Panadol 2 x 500 mg every 4 hours'),
      ],
    });
    const found = await checkAddition(checks, calpol, [PANADOL, IBUPROFEN], FRAME);
    expect(found.map(({ ruleId, medications }) => [ruleId, ...medications])).toEqual([
      ['ceiling', 'Calpol', 'Panadol'],
      ['pair', 'Calpol', 'Ibuprofen'],
    ]);
  });
});
