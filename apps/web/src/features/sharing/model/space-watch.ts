import type { SpaceState } from '@app/client/spaces';
import { computed, effect, signal, untracked } from '@preact/signals';
import { needAllTexts } from '../../../i18n/i18n';
import { members } from '../../profiles/model/family';
import {
  hasEnded,
  placeOf,
  sharedNotice,
  type SharedPlace,
  sharesHere,
  spaceStates,
} from '../../profiles/model/people';
import { loadRecords } from '../../../platform/model/records';
import { client, sessionState, whenLocked } from '../../../platform/model/session';
import { readKnownPeople, readSpace, showAnew, spaces } from './spaces';
import { syncStatus } from '../../../platform/model/sync';

/** How often the service is asked while somebody waits to be let in. */
const ASK_MS = 60_000;

let timer: ReturnType<typeof setInterval> | undefined;
let stops: (() => void)[] = [];
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
  stops = [
    effect(() => {
      if (hasNews.value) void showNews().catch(() => undefined);
    }),
    effect(askWhenPlacesChange),
    effect(lookAfterSync),
  ];
  void readKnownPeople();
  void askAgain();
}

/** The shared profiles and roles that were shown last. */
let places: string | undefined;

const placesIn = (all: readonly { space?: SharedPlace }[]) =>
  all.flatMap(({ space: at }) => (at ? [`${at.id} ${at.role} ${at.state} ${at.blocked?.code}`] : [])).join();

/** A sync has changed them: the service then says why a record is gone. */
function askWhenPlacesChange(): void {
  const next = placesIn(members.value);
  if (places !== undefined && places !== next) untracked(() => void askAgain());
  places = next;
}

/** The status itself changes with each write, and several times in one sync. */
const lastSync = computed(() => syncStatus.value.lastSuccess);

/** A sync that ends an access, or meets a block, changes no record. Only the list of the profiles says it. */
function lookAfterSync(): void {
  if (lastSync.value) untracked(() => void showPlaces().catch(() => undefined));
}

async function showPlaces(): Promise<void> {
  if (!members.value.some(placeOf)) return;
  if (placesIn(await client.profiles.list()) !== placesIn(members.value)) await loadRecords();
}

/** What failed is asked again in a minute. */
const askAgain = () => askService().catch(() => undefined);

/** Asks the service about all shared profiles, and shows what has changed. */
export async function askService(): Promise<void> {
  if (sessionState.value !== 'unlocked') return;
  const states = await spaces().list();
  spaceStates.value = states;
  sharesHere.value = states.length > 0;
  const isNew = ({ id, state }: SpaceState) =>
    state === 'member' && !read.has(id) && !members.value.some((member) => placeOf(member)?.id === id);
  if (states.some(isNew)) await showAnew();
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
  for (const stop of stops.splice(0)) stop();
  places = undefined;
  timer = undefined;
  read.clear();
  isInviting.value = false;
});
