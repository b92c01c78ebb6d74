import { Module } from '@nestjs/common';
import { AuthModule } from 'health-records-service';
import { OidcController } from './oidc.controller';
import { OidcLinksRepository } from './oidc-links.repository';
import { OidcProvider } from './oidc-provider';
import { OidcService } from './oidc.service';

@Module({
  imports: [AuthModule],
  controllers: [OidcController],
  providers: [OidcLinksRepository, OidcProvider, OidcService],
})
export class OidcModule {}
