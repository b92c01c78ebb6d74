import { Image, Pencil, Printer } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { language, t, textsIn } from '../../../../i18n/i18n';
import type { Language } from '../../../../i18n/languages';
import type { Texts } from '../../../../i18n/measure-words';
import { today } from '../../../../platform/model/clock';
import { formatDay } from '../../../../platform/model/dates';
import { type CardSection, emergencyCard } from '../../model/emergency-card';
import { chosenMember, members } from '../../../profiles/model/family';
import { sentenceOf } from '../../../../platform/model/failure';
import { medicines } from '../../../medications/model/medicines';
import type { FamilyMember } from '@app/client/documents';
import { Button, ButtonLink } from '../../../../ui/button';
import { SelectField } from '../../../../ui/field';
import { useAct } from '../../../../ui/form';
import { Empty, Note, Screen } from '../../../../ui/screen';
import { fileName, saveFile } from '../../../../ui/save-file';
import { type CardFace, pictureOf } from './card-picture';
import '../../../../platform/styles/records.css';
import './emergency.css';

/** A card for the wallet, in the language of the page and in English. It opens without a network. */
export function Emergency() {
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const member = members.value.find(({ id }) => id === chosen) ?? chosenMember.value ?? members.value[0];
  return (
    <Screen title={t('card.title')} back={{ href: '/app/more', label: t('common.nav.more') }}>
      {member ? (
        <Content member={member} onMember={setChosen} />
      ) : (
        <Empty title={t('doctor.noMember.title')} text={t('card.intro')}>
          <ButtonLink href="/app/profiles/add" look="primary">
            {t('doctor.noMember.action')}
          </ButtonLink>
        </Empty>
      )}
    </Screen>
  );
}

function faceOf(member: FamilyMember, text: Texts, spoken: Language): CardFace {
  const { name, birthDate } = member.details;
  return {
    language: spoken,
    heading: text('card.heading'),
    name,
    born: birthDate ? text('doctor.sheet.born', { when: formatDay(birthDate, spoken) }) : '',
    made: text('card.made', { when: formatDay(today.value, spoken) }),
    sections: emergencyCard(member, medicines.value, today.value, { text, language: spoken }).map(
      ({ part, lines }: CardSection) => ({
        title: text(`card.part.${part}`),
        lines: lines.length > 0 ? lines : [text('card.unknown')],
      }),
    ),
  };
}

function Content({ member, onMember }: { member: FamilyMember; onMember: (id: string) => void }) {
  const [english, setEnglish] = useState<Texts | undefined>(undefined);
  const act = useAct(sentenceOf);
  const isEnglish = language.value === 'en';
  useEffect(() => {
    if (!isEnglish) void textsIn('en').then((texts) => setEnglish(() => texts));
  }, [isEnglish]);
  const faces = [
    faceOf(member, t, language.value),
    ...(english && !isEnglish ? [faceOf(member, english, 'en')] : []),
  ];
  const save = async () =>
    saveFile(fileName(member.details.name, today.value, 'png'), await pictureOf(faces), 'image/png');
  return (
    <div class="stack-large">
      <div class="stack no-print">
        <p class="soft">{t('card.intro')}</p>
        {members.value.length > 1 && (
          <SelectField
            label={t('doctor.person')}
            value={member.id}
            options={members.value.map(({ id, details }) => ({ value: id, label: details.name }))}
            onValue={onMember}
          />
        )}
        <div class="row">
          <Button look="primary" icon={Printer} onClick={() => print()}>
            {t('doctor.print')}
          </Button>
          <Button icon={Image} busy={act.busy} onClick={() => void act.run(save)}>
            {t('card.picture')}
          </Button>
          <ButtonLink href={`/app/profiles/${member.id}`} icon={Pencil}>
            {t('card.change')}
          </ButtonLink>
        </div>
        {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
        <Note look="warn">{t('card.open')}</Note>
      </div>
      <div class="cards">
        {faces.map((face) => (
          <Face key={face.language} face={face} />
        ))}
      </div>
    </div>
  );
}

function Face({ face: { language: spoken, heading, name, born, made, sections } }: { face: CardFace }) {
  return (
    <section class="card" lang={spoken} aria-label={heading}>
      <p class="card-heading">{heading}</p>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      {born && <p>{born}</p>}
      {sections.map(({ title, lines }) => (
        <div key={title}>
          <h3>{title}</h3>
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      ))}
      <p class="card-made">{made}</p>
    </section>
  );
}
