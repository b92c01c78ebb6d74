import { Initial1760000000000 } from './1760000000000-initial';

/** In the order in which they run. */
export const MIGRATIONS = [Initial1760000000000];
