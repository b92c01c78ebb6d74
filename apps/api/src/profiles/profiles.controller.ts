import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListQuery } from '@app/http';
import { RecordController } from '@app/records';
import { CreateProfileRequest } from './dto/create-profile.request';
import { ProfileResponse } from './dto/profile.response';
import { UpdateProfileRequest } from './dto/update-profile.request';
import { ProfilesService } from './profiles.service';

@ApiTags('Profiles')
@Controller('profiles')
export class ProfilesController extends RecordController({
  response: ProfileResponse,
  list: { summary: 'List your profiles, oldest first', query: ListQuery },
  create: { summary: 'Create a profile for a person or a pet', body: CreateProfileRequest, errors: [] },
  get: { summary: 'Read one of your profiles' },
  update: {
    summary: 'Update one of your profiles',
    description:
      'Takes any subset of the fields. A blob or key needs its IV beside it, unless the stored IV is empty.',
    body: UpdateProfileRequest,
  },
  delete: { summary: 'Delete one of your profiles and everything under it' },
  changes: 'PUT',
  inSpaces: { create: { refusal: 'space_profile' }, delete: { refusal: 'space_profile' } },
}) {
  constructor(profiles: ProfilesService) {
    super(profiles);
  }
}
