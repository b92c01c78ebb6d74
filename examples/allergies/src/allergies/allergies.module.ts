import { Module } from '@nestjs/common';
import { AllergiesController } from './allergies.controller';
import { AllergiesRepository } from './allergies.repository';
import { AllergiesService } from './allergies.service';

@Module({ controllers: [AllergiesController], providers: [AllergiesService, AllergiesRepository] })
export class AllergiesModule {}
