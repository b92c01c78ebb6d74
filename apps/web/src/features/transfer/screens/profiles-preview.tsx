import type { ExportDocument, ExportedProfile } from '@app/client';
import { useState } from 'preact/hooks';
import { language, t } from '../../../i18n/i18n';
import { formatInstant } from '../../../platform/model/dates';
import { members } from '../../profiles/model/family';
import { changeable } from '../../profiles/model/people';
import { medicines } from '../../medications/model/medicines';
import { stats } from '../../health-stats/model/stats';
import { visits } from '../../appointments/model/visits';
import type { FhirContent } from '@app/client/fhir';
import { holdingsOf, knownIn, likelyTarget, NEW_PERSON, planOf, recordsIn } from '../model/import-plan';
import type { Incoming } from '../model/incoming-file';
import { Button } from '../../../ui/button';
import { SelectField } from '../../../ui/field';

export interface ProfilesPreviewProps {
  incoming: Incoming & { from: 'own' | 'fhir' };
  onStore: (plan: ExportDocument) => void;
  onCancel: () => void;
}

/** People and pets of a file, and where each goes. */
export function ProfilesPreview({ incoming, onStore, onCancel }: ProfilesPreviewProps) {
  const { profiles } = incoming;
  const [targets, setTargets] = useState<ReadonlyMap<string, string>>(
    () => new Map(profiles.map((profile) => [profile.id, likelyTarget(profile, changeable(members.value))])),
  );
  const count = profiles.reduce(
    (sum, profile) => sum + recordsIn(profile) + (targets.get(profile.id) === NEW_PERSON ? 1 : 0),
    0,
  );
  return (
    <>
      <p>
        {incoming.from === 'own'
          ? t('transfer.import.previewOwn', {
              when: formatInstant(new Date(incoming.exportedAt), language.value),
            })
          : t('transfer.import.previewFhir')}
      </p>
      <ul class="stack">
        {profiles.map((profile) => (
          <ProfilePreview
            key={profile.id}
            profile={profile}
            target={targets.get(profile.id)!}
            onTarget={(target) => setTargets(new Map(targets).set(profile.id, target))}
          />
        ))}
      </ul>
      {incoming.from === 'fhir' && <PassedOver passedOver={incoming.passedOver} />}
      {count === 0 && <p>{t('transfer.import.none')}</p>}
      <div class="row">
        {count > 0 && (
          <Button look="primary" onClick={() => onStore(planOf(profiles, targets))}>
            {t('transfer.import.startCount', { count })}
          </Button>
        )}
        <Button onClick={onCancel}>{t('common.action.cancel')}</Button>
      </div>
    </>
  );
}

interface ProfilePreviewProps {
  profile: ExportedProfile;
  target: string;
  onTarget: (target: string) => void;
}

function ProfilePreview({ profile, target, onTarget }: ProfilePreviewProps) {
  const name = typeof profile.details.name === 'string' ? profile.details.name : '';
  const held = holdingsOf(profile);
  const words = (['medicines', 'doses', 'visits', 'stats'] as const)
    .filter((kind) => held[kind] > 0)
    .map((kind) => t(`transfer.import.${kind}`, { count: held[kind] }));
  const ids = new Set([...medicines.value, ...visits.value, ...stats.value].map(({ id }) => id));
  const known = knownIn(profile, ids);
  const others = changeable(members.value).map(({ id, details }) => ({ value: id, label: details.name }));
  // A profile that exists cannot be created again under its id.
  const isHere = changeable(members.value).some(({ id }) => id === profile.id);
  return (
    <li class="incoming stack">
      <h3>{name || t('transfer.import.nobody')}</h3>
      <p>
        {t('transfer.import.holds')}: {words.length > 0 ? words.join(', ') : t('transfer.import.nothing')}.{' '}
        {known > 0 && t('transfer.import.known', { count: known })}
      </p>
      <SelectField
        label={t('transfer.import.target')}
        value={target}
        options={[
          ...(isHere ? [] : [{ value: NEW_PERSON, label: t('transfer.import.newPerson') }]),
          ...others,
        ]}
        onValue={onTarget}
      />
      {target !== NEW_PERSON && <p class="soft small">{t('transfer.import.profileStays')}</p>}
    </li>
  );
}

function PassedOver({ passedOver }: Pick<FhirContent, 'passedOver'>) {
  if (passedOver.length === 0) return null;
  return (
    <div>
      <h3>{t('transfer.import.passedOver')}</h3>
      <ul>
        {passedOver.map(({ kind, reason, count }) => (
          <li key={`${kind} ${reason}`}>{t(`transfer.import.${reason}`, { kind, count })}</li>
        ))}
      </ul>
    </div>
  );
}
