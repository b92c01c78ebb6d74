import { runOps } from 'health-records-service';
import { DOMAINS } from './domains';

void runOps(process.argv.slice(2), DOMAINS).then((code) => process.exit(code));
