export type * from './space-types';
