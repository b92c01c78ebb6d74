export * from './record.controller';
export * from './record.service';
export * from './with-author';
