import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { AccountKeysController } from './account-keys/account-keys.controller';
import { AccountKeysRepository } from './account-keys/account-keys.repository';
import { AccountKeysService } from './account-keys/account-keys.service';
import { KeptSpacesService } from './begin/kept-spaces.service';
import { MembershipsRepository } from './begin/memberships.repository';
import { MoveRepository } from './begin/move.repository';
import { SpacesController } from './begin/spaces.controller';
import { SpacesRepository } from './begin/spaces.repository';
import { SpacesService } from './begin/spaces.service';
import { CircleService } from './circle/circle.service';
import { MembersRepository } from './circle/members.repository';
import { SpaceChangeService } from './circle/space-change.service';
import { SpaceController } from './circle/space.controller';
import { SpaceErasuresService } from './circle/space-erasures.service';
import { SpaceRepository } from './circle/space.repository';
import { SpaceService } from './circle/space.service';
import { InvitationsController } from './invitations/invitations.controller';
import { InvitationsRepository } from './invitations/invitations.repository';
import { InvitationsService } from './invitations/invitations.service';

/** Profiles that several accounts share. */
@Module({
  imports: [AuthModule],
  controllers: [AccountKeysController, SpacesController, SpaceController, InvitationsController],
  providers: [
    AccountKeysRepository,
    AccountKeysService,
    CircleService,
    InvitationsRepository,
    InvitationsService,
    KeptSpacesService,
    MembershipsRepository,
    MembersRepository,
    MoveRepository,
    SpaceErasuresService,
    SpaceChangeService,
    SpaceRepository,
    SpaceService,
    SpacesRepository,
    SpacesService,
  ],
})
export class SpacesModule {}
