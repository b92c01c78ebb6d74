export * from './compose';
export * from './extension';
