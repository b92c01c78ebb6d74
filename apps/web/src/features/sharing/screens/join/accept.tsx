import type { InvitationOffer } from '@app/client/spaces';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { forgetInvitation } from '../../model/invited';
import { acceptInvitation, type Joining, ownName } from '../../model/spaces';
import { Button } from '../../../../ui/button';
import { Form, useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';
import { OwnName } from '../people/own-name';

export interface AcceptProps {
  offer: InvitationOffer;
  onAccepted: (joining: Joining) => void;
}

/** One's own name, and the tap that accepts. */
export function Accept({ offer, onAccepted }: AcceptProps) {
  const { route } = useLocation();
  const [name, setName] = useState(ownName);
  const [tried, setTried] = useState(false);
  const act = useAct(sentenceOf);
  const accept = () => {
    setTried(true);
    if (name.trim() === '') return;
    void act.run(async () => {
      onAccepted(await acceptInvitation(offer, name.trim()));
      forgetInvitation();
    });
  };
  const decline = () => {
    forgetInvitation();
    route('/app/today');
  };
  return (
    <Form onSubmit={accept}>
      <OwnName name={name} onName={setName} tried={tried} />
      {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
      <div class="row">
        <Button onClick={decline}>{t('people.join.decline')}</Button>
        <Button type="submit" look="primary" busy={act.busy}>
          {t('people.join.accept')}
        </Button>
      </div>
    </Form>
  );
}
