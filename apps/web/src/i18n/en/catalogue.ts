import { account } from './account';
import { cabinet } from './cabinet';
import { common } from './common';
import { more } from './more';
import { today } from './today';
import type { rest } from './rest';

/** The English texts of the first screens. The other languages have the same keys. */
export const catalogue = { account, cabinet, common, more, today };

type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };
export type Catalogue = Texts<typeof catalogue>;
export type Rest = Texts<typeof rest>;
