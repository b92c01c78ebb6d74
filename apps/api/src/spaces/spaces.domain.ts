import type { Extension } from '@app/extension';
import { AccountKeysEntity } from './entities/account-keys.entity';
import { MembershipEntity } from './entities/membership.entity';
import { SpaceEntity } from './entities/space.entity';
import { SpaceInvitationEntity } from './entities/space-invitation.entity';
import { SpaceMemberEntity } from './entities/space-member.entity';
import { SpaceRosterEntity } from './entities/space-roster.entity';
import { SpacesModule } from './spaces.module';

export const SPACES: Extension = {
  modules: [SpacesModule],
  entities: [
    AccountKeysEntity,
    MembershipEntity,
    SpaceEntity,
    SpaceInvitationEntity,
    SpaceMemberEntity,
    SpaceRosterEntity,
  ],
};
