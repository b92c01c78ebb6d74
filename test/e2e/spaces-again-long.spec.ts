import { AGAIN, runAgain } from '../support/specs-again';

runAgain(AGAIN.long);
