import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { endOffer, makeOffer, takeOffer } from '../../model/passkey-offer';
import { Button } from '../../../../ui/button';
import { useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';

/** After a sign-in with this password. */
export const offerPasskey = (secret: string): Promise<void> => makeOffer(secret, PasskeyOffer);

/** One sentence after the first sign-in on a device. */
function PasskeyOffer() {
  const act = useAct(sentenceOf);
  const take = async () => {
    const canUnlock = await takeOffer();
    toast({ text: t(`more.security.passkey.${canUnlock ? 'added' : 'addedSignIn'}`) });
    endOffer();
  };
  return (
    <Note>
      <div class="stack">
        <p>{t('more.security.passkey.offer')}</p>
        {act.error !== undefined && <p role="alert">{sentenceOf(act.error)}</p>}
        <div class="row">
          <Button look="primary" busy={act.busy} onClick={() => void act.run(take)}>
            {t('more.security.passkey.offerGo')}
          </Button>
          <Button onClick={endOffer}>{t('more.security.passkey.offerNo')}</Button>
        </div>
      </div>
    </Note>
  );
}
