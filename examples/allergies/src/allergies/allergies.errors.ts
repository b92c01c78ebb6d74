import { defineErrors } from 'health-records-service/common';

export const ALLERGY_ERRORS = defineErrors({
  allergy_status_unknown: { status: 400, sentence: 'An allergy cannot have this status.' },
  allergy_outgrown: { status: 409, sentence: 'An outgrown allergy does not come back: write a new one.' },
});
