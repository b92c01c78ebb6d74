import { randomUUID } from 'node:crypto';
import {
  accept,
  accountKeys,
  aBeginning,
  aMember,
  anInvitation,
  type Answer,
  type Api,
  aRekey,
  aSharingPublic,
  aSpace,
  aSpaceWrap,
  confirm,
  invite,
  join,
  type Member,
  SERVICE_KINDS,
  type SpaceUnderTest,
} from '@app/testing';
import { aBlob, aDose, aHealthStat, aMedication, anAppointment, aProfile } from '../support/factories';

/** @throws Error if the answer is another one. */
async function expectStatus(status: number, answer: Promise<Answer>): Promise<any> {
  const { status: seen, body, text } = await answer;
  if (seen !== status) throw new Error(`Answered ${seen} instead of ${status}: ${text}`);
  return body;
}

/** What a family does with a shared profile, on every route of it, and the usual refusals. */
export async function aDayInSpaces(api: Api): Promise<void> {
  const owner = await aMember(api);
  const as = ({ token }: Member) => ({ token });
  await expectStatus(404, api.get('/api/users/me/keys', as(owner)));
  await expectStatus(201, api.put('/api/users/me/keys', accountKeys(), as(owner)));
  await expectStatus(200, api.get('/api/users/me/keys', as(owner)));
  const profileId = await aProfile(api, owner.token, { name_data: aBlob() });
  const { id: medicationId } = await aMedication(api, owner.token, profileId);
  await aDose(api, owner.token, medicationId, { proof: 'cHJvb2Y=' });
  await aHealthStat(api, owner.token, profileId);
  await anAppointment(api, owner.token, profileId);
  await expectStatus(409, api.post('/api/spaces', aBeginning(profileId, { space_id: owner.id }), as(owner)));
  const space = await aSpace(api, owner, profileId);

  const guest = await aMember(api);
  const link = await invite(space, owner, 'carer');
  const { body: again } = anInvitation('viewer', { id: link.id });
  await expectStatus(409, api.post('/api/space/invitations', again, space.as(owner)));
  await expectStatus(200, api.post('/api/invitations/open', { space_id: space.id, ...link }, as(guest)));
  await expectStatus(200, accept(space, guest, link));
  await expectStatus(200, api.get('/api/space/invitations', space.as(owner)));
  await expectStatus(200, confirm(space, owner, guest.id, link));
  const unused = await invite(space, owner, 'viewer');
  await expectStatus(204, api.post(`/api/space/invitations/${unused.id}/delete`, {}, space.as(owner)));
  const [parent, child, viewer] = [
    await join(space, owner, 'owner'),
    await join(space, owner, 'editor'),
    await join(space, owner, 'viewer'),
  ];
  await expectStatus(200, api.get('/api/spaces', as(guest)));
  const records = [{ id: randomUUID(), revision: 1, encrypted_data: aBlob() }];
  await expectStatus(200, api.post('/api/reseal', { kind: 'health_stat', records }, space.as(parent)));
  await expectStatus(200, api.get('/api/space/rosters', space.as(viewer)));
  await keepRecordsIn(api, space, { guest, child, viewer }, medicationId);

  const given = { roster: space.nextRoster(), member_id: viewer.id, wrap: aSpaceWrap() };
  await expectStatus(200, space.change(owner, 'members', given));
  const keys = { roster: space.nextRoster(), sharing_public: aSharingPublic(), wrap: aSpaceWrap() };
  await expectStatus(200, space.change(guest, 'keys', keys));
  const changes = {
    remove: [viewer.id],
    roles: [{ member_id: guest.id, role: 'viewer' }],
    sharing_public: aSharingPublic(),
  };
  await expectStatus(200, space.change(owner, 'rekey', await aRekey(space, owner, changes)));
  const late = aRekey(space, owner, { remove: [parent.id] });
  await expectStatus(403, space.change(owner, 'rekey', await late));
  await expectStatus(204, api.post('/api/spaces/forget', { space_id: space.id }, as(viewer)));
  const raised = { roster: space.nextRoster(), member_id: child.id, role: 'owner' };
  await expectStatus(200, space.change(owner, 'roles', raised));
  const lowered = { roster: space.nextRoster(), member_id: owner.id, role: 'editor' };
  await expectStatus(200, space.change(owner, 'roles', lowered));
  await expectStatus(204, space.change(child, 'keeper', {}));
  await expectStatus(204, space.change(parent, 'leave', { roster: space.nextRoster() }));
  await space.read(child);
  await expectStatus(204, space.change(child, 'delete', { current_password: child.password }));

  const last = await aSpace(api, owner);
  const other = await join(last, owner, 'viewer');
  await expectStatus(204, api.post('/api/users/me/delete', { current_password: other.password }, as(other)));
  await expectStatus(204, api.post('/api/users/me/delete', { current_password: owner.password }, as(owner)));
}

/** Every statement of a record, as a member sends it, and those of a carer. */
async function keepRecordsIn(
  api: Api,
  space: SpaceUnderTest,
  { guest, child, viewer }: Record<'guest' | 'child' | 'viewer', Member>,
  medicationId: string,
): Promise<void> {
  for (const { collection } of SERVICE_KINDS)
    await expectStatus(200, api.get(collection.replace('{id}', medicationId), space.as(viewer, 'none')));
  await expectStatus(200, api.get('/api/sync', space.as(viewer, 'none')));
  await expectStatus(200, api.get('/api/users/me/usage', space.as(viewer, 'none')));
  await expectStatus(200, api.get(`/api/medications/${medicationId}/adherence`, space.as(viewer, 'none')));
  const stat = { profile_id: space.profileId, encrypted_data: aBlob() };
  for (const author of [guest, child]) {
    const { id } = await expectStatus(201, api.post('/api/health-stats', stat, space.as(author)));
    const path = `/api/health-stats/${id}`;
    const isOwn = author === guest;
    const change = () => api.put(path, { encrypted_data: aBlob() }, space.as(guest));
    await expectStatus(isOwn ? 200 : 403, change());
    await expectStatus(isOwn ? 204 : 403, api.delete(path, undefined, space.as(guest)));
  }
  await expectStatus(404, api.get(`/api/health-stats/${randomUUID()}`, space.as(viewer)));
  const log = `/api/medications/${medicationId}/log`;
  const { id } = await expectStatus(201, api.post(log, { taken: true }, space.as(guest)));
  await expectStatus(204, api.post(`${log}/${id}/delete`, undefined, space.as(guest)));
  await expectStatus(409, api.post('/api/health-stats', stat, space.as(guest, space.version + 1)));
}
