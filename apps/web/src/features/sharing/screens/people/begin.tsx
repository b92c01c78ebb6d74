import type { FamilyMember } from '@app/client/documents';
import type { Space } from '@app/client/spaces';
import { useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { ownName, shareProfile } from '../../model/spaces';
import { Button } from '../../../../ui/button';
import { Form, useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';
import { OwnName } from './own-name';

/** What it means to share a record, before it is shared for good. */
export function Begin({ member, onShared }: { member: FamilyMember; onShared: (space: Space) => void }) {
  const [name, setName] = useState(ownName);
  const [tried, setTried] = useState(false);
  const act = useAct(sentenceOf);
  const go = () => {
    setTried(true);
    if (name.trim() === '') return;
    void act.run(async () => onShared(await shareProfile(member.id, name.trim())));
  };
  return (
    <Form onSubmit={go}>
      <p>{t('people.begin.text')}</p>
      <ul class="bullets">
        <li>{t('people.begin.moves')}</li>
        <li>{t('people.begin.devices')}</li>
      </ul>
      <OwnName name={name} onName={setName} tried={tried} />
      {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
      <div>
        <Button type="submit" look="primary" busy={act.busy}>
          {t('people.begin.go')}
        </Button>
      </div>
    </Form>
  );
}
