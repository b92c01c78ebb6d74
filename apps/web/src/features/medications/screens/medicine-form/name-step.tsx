import type { ResolvedName } from '@app/client';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { namesBeginning, readName } from '../../model/checks';
import type { Draft } from '../../../../platform/model/use-draft';
import { Button } from '../../../../ui/button';
import { TextField } from '../../../../ui/field';
import type { MedicineForm } from './form-model';

const PAUSE_MS = 400;

export interface NameStepProps {
  form: MedicineForm;
  change: Draft<MedicineForm>['change'];
  error: string | undefined;
}

/** The name as typed, and how it was read. The person confirms a guess or keeps the name. */
export function NameStep({ form, change, error }: NameStepProps) {
  const [read, setRead] = useState<ResolvedName | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  // Of a half-typed name nothing is said that would be wrong at its end.
  const [isTyping, setTyping] = useState(false);
  const [offers, setOffers] = useState<{ value: string; text: string }[]>([]);
  const name = form.name.trim();
  useEffect(() => {
    let isNewest = true;
    void namesBeginning(name).then((known) => {
      if (isNewest)
        setOffers(known.map((each) => ({ value: each.name, text: each.ingredients.join(' + ') })));
    });
    return () => {
      isNewest = false;
    };
  }, [name]);
  useEffect(() => {
    setRead(undefined);
    if (name.length < 2) return;
    let isNewest = true;
    setBusy(true);
    const timer = setTimeout(() => {
      readName(name)
        .then((found) => {
          if (!isNewest) return;
          setRead(found);
          // What the person has said of this name stays, also where it would be read otherwise today.
          if (!form.isNameSettled)
            change({ ingredients: found.ingredients, isNameSettled: isSure(found) }, false);
        })
        .catch(() => undefined)
        .finally(() => isNewest && setBusy(false));
    }, PAUSE_MS);
    return () => {
      isNewest = false;
      clearTimeout(timer);
    };
  }, [name]);
  return (
    <div class="stack">
      <TextField
        label={t('cabinet.form.name')}
        hint={t('cabinet.form.nameHint')}
        autocomplete="off"
        offers={offers}
        value={form.name}
        onValue={(typed) => {
          setTyping(true);
          change({ name: typed, isNameSettled: false, ingredients: [] });
        }}
        onBlur={() => setTyping(false)}
        error={error}
      />
      <div role="status" class="stack">
        {busy && !read && <span class="soft small">{t('cabinet.form.reading')}</span>}
        {read && !(isTyping && read.ingredients.length === 0) && (
          <Reading read={read} meant={meantBy(offers, read)} form={form} change={change} />
        )}
      </div>
    </div>
  );
}

function isSure({ ingredients, confidence, meanings }: ResolvedName): boolean {
  return ingredients.length > 0 && confidence === 1 && !meanings;
}

/** What a name may mean that is not known: what begins with it, substances first; then what is spelled alike. */
function meantBy(offers: readonly { value: string }[], { suggestions }: ResolvedName): string[] {
  return [...new Set([...offers.map(({ value }) => value), ...suggestions])];
}

type ReadingProps = { read: ResolvedName; meant: readonly string[] } & Omit<NameStepProps, 'error'>;

function Reading({ read, meant, form, change }: ReadingProps) {
  const names = read.ingredients.join(' + ');
  const take = (name: string) => () => change({ name, isNameSettled: false, ingredients: [] });
  if (form.isNameSettled && form.ingredients.length === 0)
    return <div class="note">{t('cabinet.form.readKept')}</div>;
  if (form.isNameSettled)
    return (
      <div class="note">{t('cabinet.form.readExactly', { ingredients: form.ingredients.join(' + ') })}</div>
    );
  if (read.ingredients.length === 0)
    return (
      <div class="note note-warn stack">
        <span>{t('cabinet.form.readNo')}</span>
        {meant.length > 0 && (
          <div class="row">
            <span>{t('cabinet.form.meant')}</span>
            {meant.slice(0, 4).map((each) => (
              <Button key={each} onClick={take(each)}>
                {each}
              </Button>
            ))}
          </div>
        )}
      </div>
    );
  if (isSure(read)) return <div class="note">{t('cabinet.form.readExactly', { ingredients: names })}</div>;
  return (
    <div class="note note-warn stack">
      <strong>{t('cabinet.form.readAs', { ingredients: names })}</strong>
      <div class="row">
        <Button look="primary" onClick={() => change({ isNameSettled: true })}>
          {t('cabinet.form.right')}
        </Button>
        {read.suggestions
          .filter((each) => each.toLowerCase() !== names.toLowerCase())
          .slice(0, 3)
          .map((each) => (
            <Button key={each} onClick={take(each)}>
              {each}
            </Button>
          ))}
        <Button look="quiet" onClick={() => change({ isNameSettled: true, ingredients: [] })}>
          {t('cabinet.form.notRight')}
        </Button>
      </div>
    </div>
  );
}
