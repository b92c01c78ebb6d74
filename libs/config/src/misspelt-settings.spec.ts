import { findMisspelt } from './misspelt-settings';
import { ServiceConfig } from './service-config';
import { SETTINGS } from './settings';

describe('a misspelt setting', () => {
  it.each([
    ['RATE_LIMIT', 'RATE_LIMITS'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['JWT_SECRETS_FILE', 'JWT_SECRET_FILE'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['TRUST_PROXI_HOP', 'TRUST_PROXY_HOPS'],
  ])('%s is told, with %s, which is meant, and without its value', (name, meant) => {
    const { warnings } = new ServiceConfig({ [name]: 'a value that nobody may see' });
    expect(warnings).toEqual([`${name} is no setting of the service. Is ${meant} meant?`]);
  });

  it('is none of the settings, nor what other programs need', () => {
    const others = ['HOME', 'PATH', 'PWD', 'LANG', 'TERM', 'USER', 'SHELL', 'TZ', 'HOSTNAME', 'NODE_OPTIONS'];
    const names = [
      ...others,
      'NODE_PATH',
      'PGHOST',
      'KUBERNETES_PORT',
      'SSL_CERT_FILE',
      ...Object.keys(SETTINGS),
    ];
    const env = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(findMisspelt(env, Object.keys(SETTINGS))).toEqual([]);
  });

  it('is found among the settings of a module too', () => {
    const setting = { description: '', defaultText: '', parse: () => 1 };
    const { warnings } = new ServiceConfig({ ALERGIES_MOST: '1' }, [{ ALLERGIES_MOST: setting }]);
    expect(warnings).toEqual([expect.stringContaining('Is ALLERGIES_MOST meant?')]);
  });
});
