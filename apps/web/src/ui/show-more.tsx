import { t } from '../i18n/i18n';
import { Button } from './button';

export interface ShowMoreProps {
  /** How many rows are shown, how many there are, and how many the button adds. */
  shown: number;
  count: number;
  page: number;
  onShow: (shown: number) => void;
}

/** Below the first rows of a long list. Nothing where all are shown. */
export function ShowMore({ shown, count, page, onShow }: ShowMoreProps) {
  if (shown >= count) return null;
  return (
    <Button onClick={() => onShow(shown + page)}>
      {t('common.action.showMore', { count: Math.min(page, count - shown) })}
    </Button>
  );
}
