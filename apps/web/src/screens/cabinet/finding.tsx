import { CircleHelp, Info, OctagonX, TriangleAlert, Eye } from 'lucide-preact';
import type { InteractionResult } from '@app/client';
import { t } from '../../i18n/i18n';
import './finding.css';

const ICON = {
  contraindicated: OctagonX,
  major: TriangleAlert,
  moderate: Eye,
  minor: Info,
  unknown: CircleHelp,
} as const;

type Grade = InteractionResult['severity'];

/** “Both” is right for two medicines only: a finding may be about one and a person, or about many. */
function gradeWords(severity: Grade, count: number): string {
  if (count === 1 && (severity === 'contraindicated' || severity === 'major'))
    return t(`cabinet.severityOfOne.${severity}`);
  if (count > 2 && severity === 'major') return t('cabinet.severityOfMany.major');
  return t(`cabinet.severity.${severity}`);
}

/** The grade of a finding: a shape and a word, never colour alone. */
function Severity({ severity, count }: { severity: Grade; count: number }) {
  const Icon = ICON[severity];
  return (
    <span class={`severity severity-${severity}`}>
      <Icon size={18} aria-hidden="true" />
      {gradeWords(severity, count)}
    </span>
  );
}

/** A finding: what it is at once, the rest when it is opened. */
export function Finding({ finding }: { finding: InteractionResult }) {
  const { severity, kind, medications, summary, mechanism, management, sources, inShort: short } = finding;
  const isUnknownName = kind === 'unrecognized';
  return (
    <details class={`finding finding-${severity}`}>
      <summary>
        <Severity severity={severity} count={medications.length} />
        <strong class="finding-names">{medications.join(' + ')}</strong>
        <span class="finding-short">{isUnknownName ? t('cabinet.unknownName') : summary}</span>
      </summary>
      <div class="finding-more">
        {!isUnknownName && (
          <>
            <h3>{t('cabinet.together.now')}</h3>
            <p>{short?.whatToDo ?? management}</p>
            {short && short.whatToDo !== management && management && <p>{management}</p>}
            {mechanism && (
              <>
                <h3>{t('cabinet.together.why')}</h3>
                <p>{mechanism}</p>
              </>
            )}
          </>
        )}
        <p>{t('cabinet.together.ask')}</p>
        {sources.length > 0 && (
          <>
            <h3>{t('cabinet.together.sources')}</h3>
            <ul class="small">
              {sources.map(({ id, title, publisher, year, url }) => (
                <li key={id}>
                  {url ? (
                    <a href={url} target="_blank" rel="noreferrer noopener">
                      {title}
                    </a>
                  ) : (
                    title
                  )}
                  , {publisher}, {year}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </details>
  );
}
