import { Trash2 } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { t } from '../../../i18n/i18n';
import type { Visit } from '@app/client/documents';
import { sentenceOf } from '../../../platform/model/failure';
import { memberOf, members, shownMembers } from '../../profiles/model/family';
import { changeable, mayChange } from '../../profiles/model/people';
import { useDraft } from '../../../platform/model/use-draft';
import { addVisit, changeVisit, removeVisit, visits, visitsOnDemand } from '../model/visits';
import { Button, ButtonLink } from '../../../ui/button';
import { Confirm } from '../../../ui/dialog';
import { Loaded } from '../../../ui/loaded';
import { Empty, Note, Screen } from '../../../ui/screen';
import { toast } from '../../../ui/toast';
import {
  draftOf,
  newDraft,
  readDraft,
  type VisitDraft,
  type VisitField,
  type VisitProblem,
} from './visit-draft';
import { Drafted, forgetWithUndo } from '../../../platform/shell/drafted';
import { VisitFacts } from './visit-facts';
import { VisitFields } from './visit-fields';
import '../../../platform/styles/records.css';

const BACK = '/app/visits';

/** Adds or changes a visit or a vaccination. */
export function VisitForm() {
  const { params } = useRoute();
  const { query } = useLocation();
  const type = query.type === 'vaccination' ? 'vaccination' : 'visit';
  const visit = params.id ? visits.value.find(({ id }) => id === params.id) : undefined;
  const isVaccination = visit ? visit.details.type === 'vaccination' : type === 'vaccination';
  const titles = visit
    ? ({ visit: 'visits.form.edit', vaccination: 'visits.form.editVaccination' } as const)
    : ({ visit: 'visits.form.newVisit', vaccination: 'visits.form.newVaccination' } as const);
  const owner = changeable(shownMembers.value)[0] ?? changeable(members.value)[0];
  return (
    <Screen
      title={
        visit && !mayChange(visit.profileId)
          ? visit.details.title
          : t(titles[isVaccination ? 'vaccination' : 'visit'])
      }
      back={{ href: BACK, label: t('visits.title') }}
    >
      <Loaded parts={[visitsOnDemand]}>
        {() =>
          params.id && !visit ? (
            <Empty title={t('common.notFound.title')} text={t('visits.form.gone')}>
              <ButtonLink href={BACK}>{t('visits.title')}</ButtonLink>
            </Empty>
          ) : visit && !mayChange(visit.profileId) ? (
            <VisitFacts visit={visit} />
          ) : owner ? (
            <Form
              key={params.id ?? type}
              visit={visit}
              start={visit ? draftOf(visit) : newDraft(type, owner.id, new Date())}
            />
          ) : (
            <Empty title={t('doctor.noMember.title')} text={t('doctor.noMember.text')}>
              <ButtonLink href="/app/profiles/add" look="primary">
                {t('doctor.noMember.action')}
              </ButtonLink>
            </Empty>
          )
        }
      </Loaded>
    </Screen>
  );
}

function Form({ visit, start }: { visit: Visit | undefined; start: VisitDraft }) {
  const { route, url } = useLocation();
  const kept = useDraft(`visit/${visit?.id ?? start.type}`, start);
  const { value: draft, change } = kept;
  const [problems, setProblems] = useState<{ [F in VisitField]?: VisitProblem }>({});
  const [failure, setFailure] = useState<unknown>(undefined);
  const [busy, setBusy] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const problem = (field: VisitField) => problems[field] && t(`visits.form.${problems[field]}`);

  useEffect(() => {
    if (Object.keys(problems).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);

  const attempt = async (act: () => Promise<unknown>, said: string) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await act();
      await kept.drop();
      toast({ text: said });
      route(BACK);
    } catch (error) {
      setFailure(error);
      setBusy(false);
      setRemoving(false);
    }
  };
  const save = () => {
    const read = readDraft(draft);
    setProblems(read.problems);
    if (!read.visit || busy) return;
    const { visit: next } = read;
    void attempt(() => (visit ? changeVisit(visit, next) : addVisit(next)), t('visits.form.saved'));
  };

  return (
    <Drafted
      draft={kept}
      what={kept.kept?.title.trim() || t('visits.title')}
      who={memberOf(kept.kept?.profileId ?? '')?.details.name}
    >
      <form
        ref={form}
        class="stack-large"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <VisitFields draft={draft} isNew={!visit} problem={problem} change={change} />
        {failure !== undefined && (
          <Note look="error">
            {sentenceOf(failure)} {t('common.state.kept')}
          </Note>
        )}
        <div class="row">
          <Button type="submit" look="primary" busy={busy}>
            {t('visits.form.save')}
          </Button>
          <ButtonLink href={BACK} onClick={() => forgetWithUndo(kept, () => route(url))}>
            {t('common.action.cancel')}
          </ButtonLink>
          {visit && (
            <Button look="danger" icon={Trash2} onClick={() => setRemoving(true)}>
              {t('visits.form.remove')}
            </Button>
          )}
        </div>
        {visit && isRemoving && (
          <Confirm
            title={t('visits.form.removeTitle')}
            text={t('visits.form.removeText', { title: visit.details.title })}
            yes={t('common.action.delete')}
            no={t('common.action.cancel')}
            isDangerous
            busy={busy}
            onYes={() => void attempt(() => removeVisit(visit.id), t('visits.form.removed'))}
            onNo={() => setRemoving(false)}
          />
        )}
      </form>
    </Drafted>
  );
}
