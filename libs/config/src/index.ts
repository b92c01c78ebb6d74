export * from './config.module';
export * from './secrets';
export * from './service-config';
export * from './settings';
