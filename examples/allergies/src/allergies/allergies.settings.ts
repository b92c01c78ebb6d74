import { defineSettings } from 'health-records-service/config';

/** These settings are read from the environment together with the settings of the service. */
export const ALLERGY_SETTINGS = defineSettings({
  ALLERGY_STATUSES: {
    description: 'What the status of an allergy may be, separated by commas.',
    defaultText: '`active,outgrown`',
    parse: (text = 'active,outgrown') => text.split(',').map((status) => status.trim()),
  },
});
