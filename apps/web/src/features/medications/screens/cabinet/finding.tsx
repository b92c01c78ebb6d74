import { ChevronDown, CircleHelp, Info, OctagonX, TriangleAlert, Eye } from 'lucide-preact';
import type { InteractionResult } from '@app/client';
import { t } from '../../../../i18n/i18n';
import { gradeKey } from './grade-key';
import './finding.css';

const ICON = {
  contraindicated: OctagonX,
  major: TriangleAlert,
  moderate: Eye,
  minor: Info,
  unknown: CircleHelp,
} as const;

/** The grade of a finding: a shape and a word, never colour alone. */
export function Severity({ finding }: { finding: InteractionResult }) {
  const { severity } = finding;
  const Icon = ICON[severity];
  return (
    <span class={`severity severity-${severity}`}>
      <Icon size={18} aria-hidden="true" />
      {t(gradeKey(finding))}
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
        <Severity finding={finding} />
        <strong class="finding-names">{medications.join(' + ')}</strong>
        <span class="finding-short">{isUnknownName ? t('cabinet.unknownName') : summary}</span>
        <span class="finding-open">
          {t('cabinet.together.open')}
          <ChevronDown size={18} aria-hidden="true" />
        </span>
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
