import type { SpaceRole } from '@app/common';
import { TimestampField, UuidField } from '@app/http';
import { OpaqueBlob, type OpaqueJson } from '@app/opaque';
import { Base64Field } from '../../../auth/keys/identity.field';
import { MAX_SEALED_BYTES, SpaceRoleField } from '../../space.field';
import { MAX_INVITATION_DAYS } from '../../space-limits.rule';

const ID = '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c44';
const SPACE = '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c33';

export class InviteRequest {
  @UuidField({ description: 'Made by the client: it is part of the link.', example: ID })
  id: string;

  @SpaceRoleField({ description: 'What the person will be.' })
  role: SpaceRole;

  @TimestampField({ description: `At most ${MAX_INVITATION_DAYS} days from now.` })
  expires_at: string;

  @Base64Field({ bytes: 32, description: 'SHA-256 of the 32 bytes of the proof.' })
  proof_hash: string;

  @OpaqueBlob({ maxBytes: MAX_SEALED_BYTES, description: 'Sealed under the secret in the link.' })
  offer: OpaqueJson;
}

export class OpenInvitationRequest {
  @UuidField({ example: SPACE })
  space_id: string;

  @UuidField({ example: ID })
  id: string;

  @Base64Field({ bytes: 32, description: 'Derived from the secret in the link.' })
  proof: string;
}

export class AcceptInvitationRequest extends OpenInvitationRequest {
  @OpaqueBlob({ maxBytes: MAX_SEALED_BYTES, description: 'Sealed under the secret in the link.' })
  acceptance: OpaqueJson;
}
