import type { SpaceState } from '@app/client/spaces';
import { computed, effect, signal } from '@preact/signals';
import { needAllTexts } from '../i18n/i18n';
import { members } from './family';
import { hasEnded, placeOf, sharedNotice, sharesHere, spaceStates } from './people';
import { sessionState, whenLocked } from './session';
import { readKnownPeople, readSpace, showAnew, spaces } from './spaces';

/** How often the service is asked while somebody waits to be let in. */
const ASK_MS = 60_000;

let timer: ReturnType<typeof setInterval> | undefined;
let stopNews = () => {};
/** Spaces whose members were read since the unlock. */
const read = new Set<string>();
/** Whether an invitation of this account is open: then somebody may accept it. */
export const isInviting = signal(false);

/** Something about shared profiles that a person must see or settle. */
export const hasNews = computed(
  () =>
    spaceStates.value.some(({ state, accepted }) => state !== 'member' || accepted > 0) ||
    members.value.some((member) => {
      const place = placeOf(member);
      return place !== undefined && (place.blocked !== null || hasEnded(place));
    }),
);

/** Asks once after an unlock, and each minute while somebody waits. */
export function watchSpaces(): void {
  if (timer !== undefined) return;
  sharesHere.value = true;
  timer = setInterval(() => {
    if (isInviting.value || spaceStates.value.some(({ state }) => state === 'waiting')) void askAgain();
  }, ASK_MS);
  stopNews = effect(() => {
    if (hasNews.value) void showNews().catch(() => undefined);
  });
  void readKnownPeople();
  void askAgain();
}

/** What failed is asked again in a minute. */
const askAgain = () => askService().catch(() => undefined);

/** Asks the service about all shared profiles, and shows what has changed. */
export async function askService(): Promise<void> {
  if (sessionState.value !== 'unlocked') return;
  const before = spaceStates.value;
  const states = await spaces().list();
  spaceStates.value = states;
  sharesHere.value = states.length > 0;
  const isIn = ({ id, state }: SpaceState) =>
    state === 'member' && before.some((each) => each.id === id && each.state === 'waiting');
  if (states.some(isIn)) await showAnew();
  await Promise.all(states.map(readOnce));
}

async function readOnce({ id, state, profileId, role }: SpaceState): Promise<void> {
  if (state !== 'member' || profileId === undefined || read.has(id)) return;
  read.add(id);
  try {
    await readSpace(profileId);
    if (role === 'owner') isInviting.value ||= (await spaces().invitations(id)).length > 0;
  } catch {
    read.delete(id);
  }
}

async function showNews(): Promise<void> {
  if (sharedNotice.peek()) return;
  const [{ SpaceNews }] = await Promise.all([import('../screens/people/space-news'), needAllTexts()]);
  sharedNotice.value = { Show: SpaceNews };
}

whenLocked(() => {
  clearInterval(timer);
  stopNews();
  timer = undefined;
  read.clear();
  isInviting.value = false;
});
