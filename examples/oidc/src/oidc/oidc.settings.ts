import { defineSettings } from 'health-records-service/config';

/** A provider on the own machine may be reached without TLS. */
const ON_LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

const secureUrl = (text = ''): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSecure =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && ON_LOOPBACK.includes(url.hostname));
  if (!isSecure) throw 'must be an https URL';
  return text;
};

const required = (text = ''): string => {
  if (text === '') throw 'must be set';
  return text;
};

/** These settings are read from the environment together with the settings of the service. */
export const OIDC_SETTINGS = defineSettings({
  OIDC_ISSUER: {
    description: 'The provider of OpenID Connect.',
    defaultText: 'required',
    parse: secureUrl,
  },
  OIDC_CLIENT_ID: {
    description: 'The name of this service at the provider.',
    defaultText: 'required',
    parse: required,
  },
  OIDC_CLIENT_SECRET: {
    description: 'The secret of this service at the provider.',
    defaultText: 'required',
    secret: true,
    parse: required,
  },
  OIDC_REDIRECT_URI: {
    description: 'The page to which the provider sends the browser back.',
    defaultText: 'required',
    parse: secureUrl,
  },
});
