import { defineErrors } from 'health-records-service/common';

export const OIDC_ERRORS = defineErrors({
  oidc_refused: { status: 403, sentence: 'The provider did not confirm this sign-in.' },
  oidc_identity_taken: { status: 409, sentence: 'This sign-in belongs to another account.' },
  oidc_provider_away: { status: 503, sentence: 'The provider does not answer. Try again later.' },
});
