import type { SpaceRole } from '@app/client/spaces';
import { useId } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';

export interface RoleChoiceProps {
  legend: string;
  /** Whether a heading says the same already. */
  isLegendHidden?: boolean;
  roles: readonly SpaceRole[];
  value: SpaceRole | undefined;
  onValue: (role: SpaceRole) => void;
}

/** What somebody may do, each with a sentence. */
export function RoleChoice({ legend, isLegendHidden = false, roles, value, onValue }: RoleChoiceProps) {
  const name = useId();
  return (
    <fieldset class="choice role-choice">
      <legend class={isLegendHidden ? 'visually-hidden' : undefined}>{legend}</legend>
      <div class="choice-options">
        {roles.map((role) => (
          <label key={role}>
            <input
              type="radio"
              name={name}
              value={role}
              checked={role === value}
              aria-describedby={`${name}-${role}`}
              onChange={() => onValue(role)}
            />
            <span>
              <span class="list-title">{t(`people.role.${role}`)}</span>
              <span class="list-sub" id={`${name}-${role}`}>
                {t(`people.roleText.${role}`)}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
