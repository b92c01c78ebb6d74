import { t } from '../../../../i18n/i18n';
import { openDemoFamily } from '../../model/demo';
import { sentenceOf } from '../../../../platform/model/failure';
import { endedUnasked } from '../../../../platform/model/session';
import { leftBehind } from '../../model/sign-out';
import { Button, ButtonLink } from '../../../../ui/button';
import { useAct } from '../../../../ui/form';
import { Progress } from '../../../../ui/progress';
import { Note } from '../../../../ui/screen';
import { AccountFrame } from '../account/frame';

export function Welcome() {
  const demo = useAct(sentenceOf);
  return (
    <AccountFrame title={t('account.title')} mark>
      {endedUnasked.value && <Note look="warn">{t('account.ended')}</Note>}
      {leftBehind.value !== undefined && <Note look="error">{t('account.leftBehind')}</Note>}
      <p class="lead">{t('account.lead')}</p>
      <div class="stack welcome-acts">
        {endedUnasked.value && (
          <ButtonLink href="/app/sign-in" look="primary">
            {t('account.signIn.go')}
          </ButtonLink>
        )}
        <ButtonLink href="/app/sign-up" look={endedUnasked.value ? 'plain' : 'primary'}>
          {t('account.begin')}
        </ButtonLink>
        {!endedUnasked.value && <ButtonLink href="/app/sign-in">{t('account.have')}</ButtonLink>}
        <ButtonLink href="/app/recover" look="quiet">
          {t('account.lost')}
        </ButtonLink>
      </div>
      <div class="stack welcome-demo">
        <Button busy={demo.busy} onClick={() => void demo.run(openDemoFamily)}>
          {t('account.demo')}
        </Button>
        {demo.busy && <Progress label={t('account.demoMaking')} />}
        {demo.error !== undefined && <Note look="error">{sentenceOf(demo.error)}</Note>}
        <p class="soft small">{t('account.demoHint')}</p>
      </div>
    </AccountFrame>
  );
}
