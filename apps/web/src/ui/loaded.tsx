import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { sentenceOf } from '../platform/model/failure';
import type { OnDemand } from '../platform/model/on-demand';
import { Button } from './button';
import { Note, Skeleton } from './screen';

/** Loads what a screen needs, and shows the screen when it is there. */
export function Loaded({
  parts,
  children,
}: {
  parts: readonly OnDemand[];
  children: () => ComponentChildren;
}) {
  useEffect(() => parts.forEach((part) => void part.need()), []);
  const failed = parts.find(({ state }) => state.value === 'failed');
  if (failed)
    return (
      <Note look="error">
        <p>
          {t('common.state.failed')} {sentenceOf(failed.error.value)}
        </p>
        <Button onClick={() => void failed.reload()}>{t('common.action.retry')}</Button>
      </Note>
    );
  if (parts.some(({ state }) => state.value !== 'ready'))
    return <Skeleton label={t('common.state.loading')} />;
  return <>{children()}</>;
}
