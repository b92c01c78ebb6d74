import { doctor } from './doctor';
import { measures } from './measures';
import { transfer } from './transfer';

/** The English texts of screens that are opened later. */
export const rest = { doctor, measures, transfer };
