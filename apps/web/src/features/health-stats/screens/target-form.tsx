import { useState } from 'preact/hooks';
import { language, t } from '../../../i18n/i18n';
import { componentName, metricName, numberText } from '../../../i18n/measure-words';
import { sentenceOf } from '../../../platform/model/failure';
import { changeMember } from '../../profiles/model/family';
import {
  targetKey,
  targetOf,
  type FamilyMember,
  type MeasureTarget,
  parseDecimal,
  unitSymbol,
} from '@app/client/documents';
import { Button } from '../../../ui/button';
import { TextField } from '../../../ui/field';
import { Note } from '../../../ui/screen';
import { toast } from '../../../ui/toast';

export interface TargetFormProps {
  member: FamilyMember;
  metric: string;
  /** The unit in which the target is shown and stored. */
  unit: string;
  components: readonly string[];
  canChange: boolean;
}

type Ends = { [component: string]: { low: string; high: string } };

/** The range that a person agreed on with a doctor, for each number of a measure. */
export function TargetForm({ member, metric, unit, components, canChange }: TargetFormProps) {
  const present = components.map((component) => targetOf(member.details.targets, metric, component, unit));
  const [isOpen, setOpen] = useState(false);
  const words = (value: number | undefined) =>
    value === undefined ? '' : numberText(value, unit, language.value);
  const nameOf = (component: string) =>
    components.length > 1 ? componentName(metric, component, t) : metricName(metric, t);
  if (isOpen) {
    const ends = Object.fromEntries(
      components.map((component, at) => [
        component,
        { low: words(present[at]?.low), high: words(present[at]?.high) },
      ]),
    );
    return (
      <Form
        {...{ member, metric, unit, components, canChange, nameOf, ends }}
        onClose={() => setOpen(false)}
      />
    );
  }
  const shown = components.flatMap((component, at) => {
    const target = present[at];
    if (!target) return [];
    const range = [words(target.low) || '…', words(target.high) || '…'].join(' – ');
    return [`${components.length > 1 ? `${nameOf(component)} ` : ''}${range} ${unitSymbol(unit)}`];
  });
  return (
    <div class="row target">
      {shown.length > 0 && (
        <p>
          {t('measures.target.title')}: {shown.join(' · ')}
        </p>
      )}
      {canChange && (
        <Button onClick={() => setOpen(true)}>
          {t(shown.length > 0 ? 'measures.target.change' : 'measures.target.set')}
        </Button>
      )}
    </div>
  );
}

interface FormProps extends TargetFormProps {
  nameOf: (component: string) => string;
  ends: Ends;
  onClose: () => void;
}

function Form({ member, metric, unit, components, nameOf, ends, onClose }: FormProps) {
  const [typed, setTyped] = useState(ends);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);

  const save = async () => {
    const found: Record<string, string> = {};
    const targets: Record<string, MeasureTarget> = { ...member.details.targets };
    for (const component of components) {
      const read = (end: 'low' | 'high') => {
        const text = typed[component][end].trim();
        const value = text === '' ? undefined : parseDecimal(text);
        if (text !== '' && value === undefined)
          found[`${component}.${end}`] = t('measures.problem.not_a_number');
        return value;
      };
      const [low, high] = [read('low'), read('high')];
      if (low !== undefined && high !== undefined && low > high)
        found[`${component}.high`] = t('measures.target.order');
      const key = targetKey(metric, component);
      delete targets[key];
      if (low !== undefined || high !== undefined)
        targets[key] = { ...(low !== undefined && { low }), ...(high !== undefined && { high }), unit };
    }
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      await changeMember(member, { details: { targets } });
      toast({ text: t('measures.target.saved') });
      onClose();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      class="panel stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2>{t('measures.target.title')}</h2>
      <p class="soft">{t('measures.target.text')}</p>
      {components.map((component) => (
        <div key={component} class="fields">
          {(['low', 'high'] as const).map((end) => (
            <TextField
              key={end}
              label={t(`measures.target.${end}`, { name: nameOf(component) })}
              note={unitSymbol(unit)}
              inputMode="decimal"
              autocomplete="off"
              error={errors[`${component}.${end}`]}
              value={typed[component][end]}
              onValue={(value) => setTyped({ ...typed, [component]: { ...typed[component], [end]: value } })}
            />
          ))}
        </div>
      ))}
      {failure !== undefined && (
        <Note look="error">
          {sentenceOf(failure)} {t('common.state.kept')}
        </Note>
      )}
      <div class="row">
        <Button type="submit" look="primary" busy={busy}>
          {t('measures.target.save')}
        </Button>
        <Button onClick={onClose}>{t('common.action.cancel')}</Button>
      </div>
    </form>
  );
}
