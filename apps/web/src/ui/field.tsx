import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: string;
  /** Help that is always there. */
  hint?: ComponentChildren;
  /** What is wrong; announced, and tied to the input. */
  error?: string | undefined;
  /** After the label in small letters, for example “optional”. */
  note?: string;
  children: (ids: { id: string; describedBy: string | undefined; invalid: boolean }) => ComponentChildren;
}

/** Label, hint and error around one control. */
export function Field({ label, hint, error, note, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return (
    <div class="field">
      <label for={id}>
        {label}
        {note && <span class="field-note"> {note}</span>}
      </label>
      {children({ id, describedBy, invalid: Boolean(error) })}
      {hint && (
        <div id={`${id}-hint`} class="field-hint">
          {hint}
        </div>
      )}
      {error && (
        <div id={`${id}-error`} class="field-error" role="alert">
          {error}
        </div>
      )}
    </div>
  );
}

type Common = Omit<FieldProps, 'children'>;

export interface TextFieldProps
  extends Common, Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'label' | 'onInput'> {
  value: string;
  onValue: (value: string) => void;
  /** What the browser offers while one types, each with a text beside it. */
  offers?: readonly { value: string; text: string }[];
}

/** A line of text, a number, a date or a time: whatever `type` says. */
export function TextField({ label, hint, error, note, value, onValue, offers, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} {...(note && { note })}>
      {({ id, describedBy, invalid }) => (
        <>
          <input
            {...input}
            id={id}
            value={value}
            aria-describedby={describedBy}
            aria-invalid={invalid || undefined}
            {...(offers && { list: `${id}-offers` })}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
          {offers && (
            <datalist id={`${id}-offers`}>
              {offers.map((each) => (
                <option key={each.value} value={each.value}>
                  {each.text}
                </option>
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

export interface TextAreaProps extends Common {
  value: string;
  rows?: number;
  onValue: (value: string) => void;
}

export function TextArea({ label, hint, error, note, value, rows = 3, onValue }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} {...(note && { note })}>
      {({ id, describedBy, invalid }) => (
        <textarea
          id={id}
          rows={rows}
          value={value}
          aria-describedby={describedBy}
          aria-invalid={invalid || undefined}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export interface SelectFieldProps<T extends string> extends Common {
  value: T;
  options: readonly { value: T; label: string }[];
  onValue: (value: T) => void;
}

export function SelectField<T extends string>({
  label,
  hint,
  error,
  note,
  value,
  options,
  onValue,
}: SelectFieldProps<T>) {
  return (
    <Field label={label} hint={hint} error={error} {...(note && { note })}>
      {({ id, describedBy, invalid }) => (
        <select
          id={id}
          value={value}
          aria-describedby={describedBy}
          aria-invalid={invalid || undefined}
          onChange={(event) => onValue(event.currentTarget.value as T)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export interface CheckFieldProps {
  label: string;
  hint?: ComponentChildren;
  checked: boolean;
  onValue: (checked: boolean) => void;
}

export function CheckField({ label, hint, checked, onValue }: CheckFieldProps) {
  const id = useId();
  return (
    <div class="check-field">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <div id={`${id}-hint`} class="field-hint">
          {hint}
        </div>
      )}
    </div>
  );
}

export interface ChoiceProps<T extends string> {
  legend: string;
  /** `undefined` where nothing is chosen yet. */
  value: T | undefined;
  options: readonly { value: T; label: string }[];
  onValue: (value: T) => void;
}

/** One of a few, all in sight. */
export function Choice<T extends string>({ legend, value, options, onValue }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      <div class="choice-options">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValue(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
