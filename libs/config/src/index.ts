export * from './added-settings';
export * from './config.module';
export * from './secrets';
export * from './service-config';
export * from './settings';
