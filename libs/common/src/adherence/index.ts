export * from './adherence';
export * from './dose-schedule';
