export * from './limits';
export * from './opaque-fields';
export * from './opaque-json';
export * from './scan-body';
export * from './write-json';
