import { UuidField } from '@app/http';
import { SharingPublicField } from '../../../auth/keys/identity.field';
import { RosterField, SpaceWrapField } from '../../space.field';

const ID = '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c33';

export class BeginSpaceRequest {
  @UuidField({ description: 'Made by the client.', example: ID })
  space_id: string;

  @UuidField({ description: 'One of your profiles.' })
  profile_id: string;

  @RosterField()
  roster: string;

  @SharingPublicField()
  sharing_public: string;

  @SpaceWrapField({ description: 'The present key of the profile, sealed to yourself.' })
  wrap: string;
}

export class ForgetSpaceRequest {
  @UuidField({ example: ID })
  space_id: string;
}
