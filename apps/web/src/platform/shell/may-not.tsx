import type { FamilyMember } from '@app/client/documents';
import { t } from '../../i18n/i18n';
import { hindranceOf } from '../../features/profiles/model/people';

export interface MayNotProps {
  members: readonly FamilyMember[];
  /** What the screen offers: to note doses and readings, or to change. */
  what: 'note' | 'change';
}

/** A line for each person for whom a screen has no buttons, in their place. */
export function MayNot({ members, what }: MayNotProps) {
  const lines = members.flatMap(({ id, details: { name } }) => {
    const hindrance = hindranceOf(id);
    if (!hindrance || (hindrance === 'carer' && what === 'note')) return [];
    return [{ id, text: t(`common.share.${hindrance}`, { name }) }];
  });
  if (lines.length === 0) return null;
  return (
    <div class="soft may-not">
      {lines.map(({ id, text }) => (
        <p key={id}>
          {text} <a href={`/app/profiles/${id}/people`}>{t('common.share.why')}</a>
        </p>
      ))}
    </div>
  );
}
