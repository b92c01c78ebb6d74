export * from './added-settings';
export * from './config.module';
export * from './own-data-dir';
export * from './secrets';
export * from './service-config';
export * from './settings';
