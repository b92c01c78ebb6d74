import { useEffect } from 'preact/hooks';
import type { InteractionResult } from '@app/client';
import { t } from '../../../../i18n/i18n';
import type { CheckedMember } from '../../model/checked-member';
import {
  burdensOf,
  isChecking,
  pairsOf,
  unsureOf,
  checkEveryMember,
  checkedMembers,
} from '../../model/findings';
import { shownMembers } from '../../../profiles/model/family';
import { sentenceOf } from '../../../../platform/model/failure';
import { Note, Screen, Skeleton } from '../../../../ui/screen';
import { Finding } from '../cabinet/finding';
import { WeightMissing } from '../cabinet/what-is-missing';

function Findings({ title, findings }: { title: string; findings: InteractionResult[] }) {
  if (findings.length === 0) return null;
  return (
    <section class="stack">
      <h3>{title}</h3>
      {findings.map((finding, at) => (
        <Finding key={`${finding.ruleId}${at}`} finding={finding} />
      ))}
    </section>
  );
}

function OfMember({ entry }: { entry: CheckedMember }) {
  const { member, names, paused, findings, unsureDoses = [], unweighedDoses = [], error } = entry;
  return (
    <section class="stack">
      <h2>{member.details.name}</h2>
      {error !== undefined && (
        <Note look="warn">{t('cabinet.together.failed', { reason: sentenceOf(error) })}</Note>
      )}
      {error === undefined && !findings && <Note look="warn">{t('cabinet.together.noSpecies')}</Note>}
      {findings && names.length + paused.length === 0 && (
        <p class="soft">{t('cabinet.together.noMedicines')}</p>
      )}
      {findings && names.length > 0 && findings.length === 0 && (
        <Note>{t(unsureDoses.length === 0 ? 'cabinet.together.none' : 'cabinet.together.noneTogether')}</Note>
      )}
      <Findings title={t('cabinet.together.burdens')} findings={burdensOf(entry)} />
      <Findings title={t('cabinet.together.pairs')} findings={pairsOf(entry)} />
      <Findings title={t('cabinet.together.unsure')} findings={unsureOf(entry)} />
      {unsureDoses.length > 0 && (
        <Note look="warn">{t('cabinet.together.unsureDoses', { names: unsureDoses.join(', ') })}</Note>
      )}
      {unweighedDoses.length > 0 && <WeightMissing profileId={member.id} />}
      {paused.length > 0 && (
        <Note look="warn">{t('cabinet.together.paused', { names: paused.join(', ') })}</Note>
      )}
      {findings && names.length > 0 && (
        <p class="soft small">{t('cabinet.together.checked', { names: names.join(', ') })}</p>
      )}
    </section>
  );
}

/** The cabinet of each person: burdens, then pairs, then what was not understood. */
export function Together() {
  useEffect(() => void checkEveryMember(), []);
  const shown = checkedMembers.value.filter(({ member }) =>
    shownMembers.value.some(({ id }) => id === member.id),
  );
  return (
    <Screen title={t('cabinet.together.title')} back={{ href: '/app/cabinet', label: t('cabinet.title') }}>
      <p class="soft">{t('cabinet.together.intro')}</p>
      {isChecking.value && shown.length === 0 && <Skeleton label={t('cabinet.together.busy')} />}
      <div class="stack-large">
        {shown.map((entry) => (
          <OfMember key={entry.member.id} entry={entry} />
        ))}
      </div>
    </Screen>
  );
}
