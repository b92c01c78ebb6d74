export * from './caller';
export * from './clock';
export * from './created';
export * from './errors';
export * from './ids';
export * from './paging';
export * from './preconditions';
export * from './timestamp';
