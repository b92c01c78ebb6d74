import type { SpaceMember, SpaceRole } from '@app/client/spaces';
import { language, t } from '../../../../i18n/i18n';
import { formatInstant, localeOf } from '../../../../platform/model/dates';
import { knownPeople } from '../../../profiles/model/people';

/** Each may do what those before it may. */
export const ROLES: readonly SpaceRole[] = ['viewer', 'carer', 'editor', 'owner'];

type Named = Pick<SpaceMember, 'accountId' | 'name'>;

/** While a new key is made, or in a blocked space, the names cannot be read. Then this is the one that was read last. */
export const knownNameOf = ({ accountId, name }: Named): string | undefined =>
  name ?? knownPeople.value.names[accountId];

export const nameOfMember = (member: Named): string => knownNameOf(member) ?? t('people.noName');

export const isSelf = ({ acquaintance }: Pick<SpaceMember, 'acquaintance'>): boolean =>
  acquaintance === 'self';

/** Members in one text: `Mara or Paul`. Who has no known name is another member. */
export function namesText(accountIds: readonly string[], type: 'conjunction' | 'disjunction'): string {
  const names = accountIds.map((id) => knownPeople.value.names[id] || t('common.share.someone'));
  const locale = localeOf(language.value);
  return new Intl.ListFormat(locale, { type }).format(names.sort((a, b) => a.localeCompare(b, locale)));
}

/** A day and a time of the service, or of an invitation. */
export const whenText = (at: string): string => formatInstant(new Date(at), language.value);

/** Digits in groups, so that they can be read aloud. A reader says them one by one. */
export const groupsOf = (digits: string): string[] => digits.match(/\d{1,5}/g) ?? [];
