/** The parts of this library that a module outside this repository may use. Everything else may change. */
export { type AddedSettings, defineSettings, type SettingValues } from './added-settings';
export { ConfigError, ServiceConfig } from './service-config';
export { type Environment, integer, oneOf, onOff, type Setting } from './settings';
