import { card, find, trash } from './card';
import { doctor } from './doctor';
import { keys } from './keys';
import { measures } from './measures';
import { medicine } from './medicine';
import { people } from './people';
import { plan } from './plan';
import { profiles } from './profiles';
import { remind } from './remind';
import { transfer } from './transfer';
import { visits } from './visits';

/** The English texts of screens that are opened later. */
export const rest = {
  cabinet: medicine,
  card,
  doctor,
  find,
  keys,
  measures,
  people,
  plan,
  profiles,
  remind,
  transfer,
  trash,
  visits,
};
