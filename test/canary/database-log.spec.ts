import { aCiphertext, anAccount, anEmail, aProfile, aRegistration } from '../support/factories';
import { findTraces } from '../support/traces';
import { failInTheDatabase, refused } from './database-failures';
import { SearchedService } from './searched-service';
import { WatchedApi, Witness } from './witness';

/** The embedded PostgreSQL with the settings that the service gives it. */
it("PostgreSQL's own log names its errors without a value of any row", async () => {
  const service = await SearchedService.start({}, 'as the service sets it');
  try {
    const api = new WatchedApi(service.url, new Witness());
    const email = anEmail();
    const { token } = await anAccount(api, { email });
    await refused(['email_taken'], api.post('/api/auth/register', aRegistration({ email })));
    const profileId = await aProfile(api, token);
    const blob = aCiphertext();
    await failInTheDatabase(api, service.databaseUrl, { token, profileId }, blob);
    const log = (await service.end()).filter(([name]) => name === "PostgreSQL's log");
    const sought = Object.entries({
      email,
      blob,
      profileId,
      'violation of a check': 'violates check constraint "none_at_all"',
      'end of a statement': 'canceling statement due to user request',
    }).map(([what, value]) => ({ what, value }));
    const found = findTraces(sought, log).map(({ what }) => what);
    expect(found.sort()).toEqual(['end of a statement', 'violation of a check']);
  } finally {
    await service.remove();
  }
});
