import type { Extension } from 'health-records-service';
import { OidcLinkEntity } from './entities/oidc-link.entity';
import { OidcLinks1796000000000 } from './migrations/1796000000000-oidc-links';
import { OidcModule } from './oidc.module';
import { OIDC_SETTINGS } from './oidc.settings';

export const OIDC: Extension = {
  modules: [OidcModule],
  entities: [OidcLinkEntity],
  migrations: [OidcLinks1796000000000],
  settings: OIDC_SETTINGS,
};
