import type { Catalogue } from '../en/catalogue';
import { account } from './account';
import { cabinet } from './cabinet';
import { common } from './common';
import { more } from './more';
import { today } from './today';

/** The German texts of the first screens. */
export const catalogue: Catalogue = { account, cabinet, common, more, today };
