import { AGAIN, runAgain } from '../support/specs-again';

runAgain(AGAIN.quick);
