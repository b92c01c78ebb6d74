import type { Catalogue } from '../en/catalogue';
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

/** The German texts. */
export const catalogue: Catalogue = {
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
