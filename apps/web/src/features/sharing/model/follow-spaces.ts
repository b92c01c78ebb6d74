import { effect } from '@preact/signals';
import { members } from '../../profiles/model/family';
import { placeOf, sharesHere } from '../../profiles/model/people';
import { loadState } from '../../../platform/model/records';
import { sessionState } from '../../../platform/model/session';

/** Watches shared profiles while the page is unlocked. The code is loaded where there is one. */
export function followSpaces(): void {
  let failed = false;
  effect(() => {
    const isShared = sharesHere.value || members.value.some(placeOf);
    if (sessionState.value !== 'unlocked' || loadState.value !== 'ready' || !isShared || failed) return;
    import('./space-watch').then(
      ({ watchSpaces }) => watchSpaces(),
      () => (failed = true),
    );
  });
}
