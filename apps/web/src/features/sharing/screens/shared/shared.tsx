import type { FamilyMember } from '@app/client/documents';
import { useEffect } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { members } from '../../../profiles/model/family';
import { hasEnded, knownPeople, placeOf } from '../../../profiles/model/people';
import { MemberList } from '../../../profiles/screens/member-list';
import { readSpace } from '../../model/spaces';
import { Screen } from '../../../../ui/screen';
import { namesText } from '../people/words';

/** Every record, and who sees it: as the service has it now, and without a network as it was read last. */
export function Shared() {
  const shared = members.value.filter(isShared).map(({ id }) => id);
  useEffect(() => {
    // What cannot be read now is shown as it was known.
    for (const id of shared) void readSpace(id).catch(() => undefined);
  }, [shared.join()]);
  return (
    <Screen title={t('people.seen.title')} back={{ href: '/app/more', label: t('common.nav.more') }}>
      <MemberList hrefOf={({ id }) => `/app/profiles/${id}/people`} wordsOf={seenWords} />
    </Screen>
  );
}

function isShared(member: FamilyMember): boolean {
  const place = placeOf(member);
  return place !== undefined && !hasEnded(place);
}

function seenWords(member: FamilyMember): string {
  const place = placeOf(member);
  if (!place) return t('people.seen.alone');
  if (hasEnded(place)) return t('common.share.ended', { name: member.details.name });
  const circle = knownPeople.value.circles?.[place.id];
  // Not read yet on this device.
  if (!circle) return t('common.share.shared');
  const others = Object.keys(circle.roles);
  const whom =
    others.length > 0
      ? t('people.seen.withWhom', { names: namesText(others, 'conjunction') })
      : t('people.seen.nobody');
  return `${whom} · ${t(`people.roleOf.${place.role}`)}`;
}
