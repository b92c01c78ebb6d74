import { Module } from '@nestjs/common';

/** Profiles that several accounts share. */
@Module({})
export class SpacesModule {}
