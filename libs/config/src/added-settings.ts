import { ExtensionError } from '@app/common';
import { type Setting, SETTINGS } from './settings';

/** Settings that a module adds, by their names in the environment. */
export type AddedSettings = Record<string, Setting<unknown>>;

/** The parsed values of {@link AddedSettings}. */
export type SettingValues<S extends AddedSettings> = { readonly [N in keyof S]: ReturnType<S[N]['parse']> };

/**
 * Describes settings that a module adds: `ALLERGY_SETTINGS = defineSettings({ ALLERGIES_PER_PROFILE: { … }
 * })`.
 *
 * They are read and validated together with those of the service. `ServiceConfig.valuesOf(ALLERGY_SETTINGS)`
 * returns their values.
 *
 * @throws ExtensionError for a name that is not in CAPITALS or belongs to a setting of the service.
 */
export function defineSettings<S extends AddedSettings>(settings: S): S {
  for (const name of Object.keys(settings)) {
    if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(name))
      throw new ExtensionError(`The setting ${name} is not in CAPITALS.`);
    if (name in SETTINGS || name.replace(/_FILE$/, '') in SETTINGS)
      throw new ExtensionError(`The setting ${name} exists already.`);
  }
  return settings;
}
