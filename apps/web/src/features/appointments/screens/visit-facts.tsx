import { t } from '../../../i18n/i18n';
import type { Visit } from '@app/client/documents';
import { memberOf } from '../../profiles/model/family';
import { authorOf, byWords } from '../../profiles/model/people';
import { MayNot } from '../../../platform/shell/may-not';
import { statusText, whenOf } from './visit-list';

/** A visit for whom may not change it: as facts, with a line why. */
export function VisitFacts({ visit }: { visit: Visit }) {
  const { profileId, status, details } = visit;
  const member = memberOf(profileId);
  const facts: [string, string | undefined][] = [
    [t('visits.form.title'), details.vaccine || details.title],
    [t('visits.form.person'), member?.details.name],
    [t('visits.form.date'), whenOf(visit)],
    [t('visits.form.practitioner'), details.practitioner],
    [t('visits.form.location'), details.location],
    [t('visits.form.status'), statusText(status)],
    [t('visits.form.notes'), details.notes],
  ];
  const by = byWords(authorOf(visit), 'common.share.writtenBy');
  return (
    <div class="stack">
      <dl class="facts">
        {facts.map(([term, text]) => text && [<dt key={term}>{term}</dt>, <dd key={`${term}:`}>{text}</dd>])}
      </dl>
      {by && <p class="soft">{by}</p>}
      {member && <MayNot members={[member]} what="change" />}
    </div>
  );
}
