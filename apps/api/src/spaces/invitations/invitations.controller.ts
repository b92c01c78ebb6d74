import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { ApiRoute, BODY_ERRORS, EmptyBody, WorksReadOnly } from '@app/http';
import { CurrentCaller } from '@app/security';
import { AcceptInvitationRequest, InviteRequest, OpenInvitationRequest } from './dto/invitation.requests';
import { AcceptedInvitationResponse, InvitationResponse, OfferResponse } from './dto/invitation.responses';
import { InvitationsService } from './invitations.service';

@ApiTags('Shared profiles')
@Controller()
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get('space/invitations')
  @ApiRoute({
    summary: 'List the open invitations, oldest first',
    description: 'With the acceptances that wait for an owner.',
    status: 200,
    body: [InvitationResponse],
    inSpaces: { only: 'owner' },
  })
  list(@CurrentCaller() caller: Caller): Promise<InvitationResponse[]> {
    return this.invitations.list(caller);
  }

  @Post('space/invitations')
  @ApiRoute({
    summary: 'Invite somebody by a link',
    description: 'The secret of the link stays with the client: the service gets the hash of a proof.',
    status: 201,
    body: InvitationResponse,
    errors: [...BODY_ERRORS, 'members_exceeded', 'id_taken', 'storage_low'],
    inSpaces: { only: 'owner' },
  })
  invite(@CurrentCaller() caller: Caller, @Body() request: InviteRequest): Promise<InvitationResponse> {
    return this.invitations.invite(caller, request);
  }

  @Post('space/invitations/:id/delete')
  @ApiRoute({
    summary: 'End an invitation',
    description: 'Its link opens nothing any more.',
    status: 204,
    errors: BODY_ERRORS,
    inSpaces: { only: 'owner' },
  })
  delete(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() _body: EmptyBody): Promise<void> {
    return this.invitations.delete(caller, id);
  }

  @WorksReadOnly()
  @Post('invitations/open')
  @ApiRoute({
    summary: 'Read what an invitation offers',
    description: 'Unknown, expired and a wrong proof look the same.',
    status: 200,
    body: OfferResponse,
    errors: [...BODY_ERRORS, 'not_found'],
  })
  open(@CurrentCaller() caller: Caller, @Body() request: OpenInvitationRequest): Promise<OfferResponse> {
    return this.invitations.open(caller, request);
  }

  @Post('invitations/accept')
  @ApiRoute({
    summary: 'Accept an invitation',
    description: 'Whoever has sent it then lets you in. Again by the same account: the same answer.',
    status: 200,
    body: AcceptedInvitationResponse,
    errors: [...BODY_ERRORS, 'not_found', 'invitation_taken', 'already_member', 'spaces_exceeded'],
  })
  accept(
    @CurrentCaller() caller: Caller,
    @Body() request: AcceptInvitationRequest,
  ): Promise<AcceptedInvitationResponse> {
    return this.invitations.accept(caller, request);
  }
}
