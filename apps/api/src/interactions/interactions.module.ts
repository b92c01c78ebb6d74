import { Module } from '@nestjs/common';
import { HeavyChecksService } from './heavy-checks.service';
import { InteractionsController } from './interactions.controller';
import { InteractionsService } from './interactions.service';

@Module({ controllers: [InteractionsController], providers: [InteractionsService, HeavyChecksService] })
export class InteractionsModule {}
