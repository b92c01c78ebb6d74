/** The parts of this library that a module outside this repository may use. Everything else may change. */
export { RecordController, type RecordRoutes } from './record.controller';
export { RecordService } from './record.service';
export { withAuthor } from './with-author';
