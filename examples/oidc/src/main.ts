import { run } from 'health-records-service';
import { DOMAINS } from './domains';

run(DOMAINS);
