import { Printer } from 'lucide-preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Dose } from '@app/client';
import { language, t, textsIn } from '../../../../i18n/i18n';
import { type Language, LANGUAGES } from '../../../../i18n/languages';
import type { Texts } from '../../../../i18n/measure-words';
import { checkMember } from '../../../medications/model/checks';
import type { CheckedMember } from '../../../medications/model/checked-member';
import { now, today } from '../../../../platform/model/clock';
import { dayOf, instantOf } from '../../../../platform/model/dates';
import { doctorSheet, type DoctorSheet, periodDates } from '../../model/doctor-sheet';
import { dosesSince } from '../../../medications/model/doses-since';
import { sentenceOf } from '../../../../platform/model/failure';
import { chosenMember, members } from '../../../profiles/model/family';
import { medicines } from '../../../medications/model/medicines';
import type { FamilyMember } from '@app/client/documents';
import { statsOf, statsOnDemand } from '../../../health-stats/model/stats';
import { visits, visitsOnDemand } from '../../../appointments/model/visits';
import { weights } from '../../../health-stats/model/weights';
import { Button, ButtonLink } from '../../../../ui/button';
import { SelectField } from '../../../../ui/field';
import { Loaded } from '../../../../ui/loaded';
import { Empty, Note, Screen, Skeleton } from '../../../../ui/screen';
import { MemberFiles } from './member-files';
import { Questions } from './questions';
import { mayChange } from '../../../profiles/model/people';
import { Sheet } from './sheet';
import '../../../../platform/styles/records.css';
import './doctor.css';

const PERIODS = { days30: 30, days90: 90, days365: 365, all: null } as const;
type Period = keyof typeof PERIODS;
const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** One page about a person or a pet: to print, or as a file. */
export function Doctor() {
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const member = members.value.find(({ id }) => id === chosen) ?? chosenMember.value ?? members.value[0];
  return (
    <Screen title={t('doctor.title')} back={{ href: '/app/visits', label: t('visits.title') }}>
      {member ? (
        <Loaded parts={[statsOnDemand, visitsOnDemand]}>
          {() => <Content member={member} onMember={setChosen} />}
        </Loaded>
      ) : (
        <Empty title={t('doctor.noMember.title')} text={t('doctor.noMember.text')}>
          <ButtonLink href="/app/profiles/add" look="primary">
            {t('doctor.noMember.action')}
          </ButtonLink>
        </Empty>
      )}
    </Screen>
  );
}

/** The first local date of any record of a member. */
function firstRecordOf({ id }: FamilyMember): string | undefined {
  const own = medicines.value.filter(({ profileId }) => profileId === id);
  const dates = [
    ...own.map(({ details, createdAt }) => details.startDate ?? createdAt.slice(0, 10)),
    ...visits.value
      .filter(({ profileId }) => profileId === id)
      .map(({ details }) => details.startsAt.slice(0, 10)),
    ...statsOf(id)
      .slice(-1)
      .map(({ recordedAt }) => dayOf(new Date(recordedAt))),
  ];
  return dates.filter((date) => /^\d{4}-\d{2}-\d{2}$/.test(date)).sort()[0];
}

function Content({ member, onMember }: { member: FamilyMember; onMember: (id: string) => void }) {
  const [period, setPeriod] = useState<Period>('days90');
  const [spoken, setSpoken] = useState<Language>(language.value);
  const { sheet, failure } = useSheet(member, period);
  const texts = useTexts(spoken);
  const checked = useChecked(member, spoken);
  return (
    <div class="stack-large">
      <div class="stack no-print">
        <p class="soft">{t('doctor.intro')}</p>
        <div class="fields">
          {members.value.length > 1 && (
            <SelectField
              label={t('doctor.person')}
              value={member.id}
              options={members.value.map(({ id, details }) => ({ value: id, label: details.name }))}
              onValue={onMember}
            />
          )}
          <SelectField<Period>
            label={t('doctor.period.label')}
            value={period}
            options={(Object.keys(PERIODS) as Period[]).map((value) => ({
              value,
              label: t(`doctor.period.${value}`),
            }))}
            onValue={setPeriod}
          />
          <SelectField<Language>
            label={t('doctor.language')}
            value={spoken}
            options={(Object.keys(LANGUAGES) as Language[]).map((value) => ({
              value,
              label: LANGUAGES[value],
            }))}
            onValue={setSpoken}
          />
        </div>
        {mayChange(member.id) && <Questions key={member.id} member={member} />}
        <div class="row">
          <Button look="primary" icon={Printer} onClick={() => print()}>
            {t('doctor.print')}
          </Button>
        </div>
      </div>
      {failure !== undefined ? (
        <Note look="error">{sentenceOf(failure)}</Note>
      ) : sheet && texts && checked ? (
        <section aria-label={t('doctor.preview')}>
          <Sheet sheet={sheet} checked={checked} text={texts} language={spoken} />
        </section>
      ) : (
        <Skeleton label={t('doctor.gathering')} rows={8} />
      )}
      <MemberFiles member={member} spoken={spoken} />
    </div>
  );
}

/** The content of the sheet; undefined while the doses are gathered. */
function useSheet(member: FamilyMember, period: Period): { sheet?: DoctorSheet; failure?: unknown } {
  const { from, to } = periodDates(PERIODS[period], today.value, firstRecordOf(member));
  const own = useMemo(
    () => medicines.value.filter(({ profileId }) => profileId === member.id),
    [medicines.value, member.id],
  );
  const [loaded, setLoaded] = useState<{ key: string; doses: Map<string, Dose[]> } | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const key = `${member.id} ${from}`;
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setFailure(undefined);
    Promise.all(
      own.map(async ({ id }): Promise<[string, Dose[]]> => [
        id,
        await dosesSince(id, instantOf(from, '00:00'), signal),
      ]),
    )
      .then((doses) => signal.aborted || setLoaded({ key, doses: new Map(doses) }))
      .catch((error: unknown) => signal.aborted || setFailure(error));
    return () => controller.abort();
  }, [own, key]);
  const sheet = useMemo(() => {
    if (loaded?.key !== key) return undefined;
    const records = {
      member,
      medicines: own,
      doses: loaded.doses,
      visits: visits.value.filter(({ profileId }) => profileId === member.id),
      stats: statsOf(member.id),
    };
    return doctorSheet(records, { from, to, now: now.value, timeZone });
  }, [loaded, key, member, visits.value]);
  return { ...(sheet && { sheet }), ...(failure !== undefined && { failure }) };
}

/** What the checks say in the language of the sheet; undefined while they are under way. */
function useChecked(member: FamilyMember, spoken: Language): CheckedMember | undefined {
  const [found, setFound] = useState<{ spoken: Language; checked: CheckedMember } | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    void checkMember(member, spoken).then((checked) => isWanted && setFound({ spoken, checked }));
    return () => {
      isWanted = false;
    };
  }, [member, spoken, medicines.value, weights.value, today.value]);
  return found?.spoken === spoken && found.checked.member === member ? found.checked : undefined;
}

function useTexts(spoken: Language): Texts | undefined {
  const [texts, setTexts] = useState<{ spoken: Language; text: Texts } | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    void textsIn(spoken).then((text) => isWanted && setTexts({ spoken, text }));
    return () => {
      isWanted = false;
    };
  }, [spoken]);
  return texts?.spoken === spoken ? texts.text : undefined;
}
