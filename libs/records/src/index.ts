export * from './record.controller';
export * from './record.service';
