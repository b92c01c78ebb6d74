import type { Space } from '@app/client/spaces';
import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../../../../platform/model/failure';
import { syncStatus } from '../../../../platform/model/sync';
import { readSpace } from '../../model/spaces';
import { type Act, useAct } from '../../../../ui/form';

/** How often the service is asked how far a new key is. */
const RESEAL_MS = 3000;

export interface ShownSpace {
  space: Space | undefined;
  /** Shows what an act has made of it. */
  take: (space: Space) => void;
  load: () => Promise<boolean>;
  loading: Act;
}

/** A shared profile as the service has it now, followed while its records are sealed anew. */
export function useSpace(profileId: string, isShared: boolean): ShownSpace {
  const [space, setSpace] = useState<Space | undefined>(undefined);
  const loading = useAct(sentenceOf);
  const load = () => loading.run(async () => setSpace(await readSpace(profileId)));
  useEffect(() => {
    if (isShared) void load();
    else setSpace(undefined);
  }, [profileId, isShared]);
  const synced = syncStatus.value.lastSuccess;
  useEffect(() => {
    if (!isShared) return;
    // A sync may have brought other members, or another role, and ended what made the first try fail.
    if (loading.error !== undefined) void load();
    else if (space) void readSpace(profileId).then(setSpace, () => undefined);
  }, [synced]);
  const isResealing = (space?.resealing ?? 0) > 0;
  useEffect(() => {
    if (!isResealing) return;
    // What fails is asked again.
    const again = () => void readSpace(profileId).then(setSpace, () => undefined);
    const timer = setInterval(again, RESEAL_MS);
    return () => clearInterval(timer);
  }, [isResealing, profileId]);
  return { space, take: setSpace, load, loading };
}
