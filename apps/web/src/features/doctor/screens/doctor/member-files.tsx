import { EXPORT_FORMAT, EXPORT_VERSION, type ExportDocument } from '@app/client';
import { FileCode, FileJson } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { t, textsIn } from '../../../../i18n/i18n';
import type { Language } from '../../../../i18n/languages';
import { today } from '../../../../platform/model/clock';
import { exportedMember } from '../../model/exported-member';
import { sentenceOf } from '../../../../platform/model/failure';
import { planWords } from '../../../medications/model/plan-words';
import type { FamilyMember } from '@app/client/documents';
import { Button } from '../../../../ui/button';
import { Progress } from '../../../../ui/progress';
import { Note } from '../../../../ui/screen';
import { fileName, saveFile } from '../../../../ui/save-file';
import { toast } from '../../../../ui/toast';

type Kind = 'fhir' | 'json';

/** The same person as a file: FHIR for the computer of a practice, JSON for this page. */
export function MemberFiles({ member, spoken }: { member: FamilyMember; spoken: Language }) {
  const [busy, setBusy] = useState<Kind | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const save = async (kind: Kind) => {
    if (busy) return;
    setBusy(kind);
    setFailure(undefined);
    try {
      const text = kind === 'fhir' ? await fhirText(member, spoken) : await jsonText(member);
      const file = fileName(member.details.name, today.value, kind === 'fhir' ? 'fhir.json' : 'json');
      saveFile(file, text, kind === 'fhir' ? 'application/fhir+json' : 'application/json');
      toast({ text: t('doctor.saved', { file }) });
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <section class="panel stack no-print">
      <h2>{t('doctor.files')}</h2>
      <p>{t('doctor.filesText')}</p>
      <div class="row">
        <Button icon={FileCode} busy={busy === 'fhir'} onClick={() => void save('fhir')}>
          {t('doctor.fhir')}
        </Button>
        <Button icon={FileJson} busy={busy === 'json'} onClick={() => void save('json')}>
          {t('doctor.json')}
        </Button>
      </div>
      {busy && <Progress label={t('doctor.preparing')} />}
      {failure !== undefined && <Note look="error">{sentenceOf(failure)}</Note>}
    </section>
  );
}

async function fhirText(member: FamilyMember, spoken: Language): Promise<string> {
  const [{ exportFhir }, text, profile] = await Promise.all([
    import('@app/client/fhir'),
    textsIn(spoken),
    exportedMember(member),
  ]);
  const bundle = await exportFhir(profile, {
    now: new Date(),
    today: today.value,
    language: spoken,
    planText: (details) => planWords(details, { text, language: spoken }),
    titles: {
      document: `${text('doctor.sheet.heading')}: ${member.details.name}`,
      medicines: text('doctor.sheet.medicines'),
      allergies: text('doctor.sheet.allergies'),
      problems: text('doctor.sheet.conditions'),
      immunizations: text('doctor.sheet.vaccinations'),
      vitals: text('doctor.sheet.measurements'),
      plan: text('visits.title'),
      nothing: text('doctor.sheet.nothing'),
    },
  });
  return `${JSON.stringify(bundle, null, 2)}\n`;
}

async function jsonText(member: FamilyMember): Promise<string> {
  const document: ExportDocument = {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    exportedAt: new Date().toISOString(),
    profiles: [await exportedMember(member)],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
