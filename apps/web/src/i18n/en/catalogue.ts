import { account } from './account';
import { cabinet } from './cabinet';
import { common } from './common';
import { doctor } from './doctor';
import { measures } from './measures';
import { more } from './more';
import { profiles } from './profiles';
import { today } from './today';
import { transfer } from './transfer';
import { visits } from './visits';

/** The English texts. The other languages have the same keys. */
export const catalogue = {
  account,
  cabinet,
  common,
  doctor,
  measures,
  more,
  profiles,
  today,
  transfer,
  visits,
};

type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };
export type Catalogue = Texts<typeof catalogue>;
