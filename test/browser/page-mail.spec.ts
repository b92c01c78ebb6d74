import { HealthRecordsClient } from '@app/client';
import type { Page } from 'playwright-core';
import { ClientAt } from '../support/clients';
import { sql } from '../support/databases';
import { anAccount, aProfile } from '../support/factories';
import { type Mailbox, openMailbox } from '../support/mailbox';
import { startService } from '../support/service';
import { describeInBrowser, PageStage, STAGE_TIMEOUT_MS } from './page-stage';

const SECRET = 'correct horse battery staple 7';

describeInBrowser('the link of a mail', () => {
  let mailbox: Mailbox;
  let stage: PageStage;
  beforeAll(async () => {
    mailbox = await openMailbox();
    const mail = { SMTP_URL: mailbox.url, MAIL_FROM: 'records@example.org', TRUST_PROXY_HOPS: '1' };
    stage = await PageStage.start(undefined, (settings) => startService({ ...settings, ...mail }));
  }, STAGE_TIMEOUT_MS);
  afterAll(async () => {
    await stage?.stop();
    await mailbox?.close();
  });

  const anOwner = () => anAccount(new ClientAt(stage.service.api.url));
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  async function linkOf(email: string, atLeast = 1): Promise<string> {
    const mails = await mailbox.mailsTo(email, atLeast);
    return /#[\w-]{64}/.exec(mails.at(-1)!.text)![0];
  }

  async function opened(link: string, page?: Page): Promise<Page> {
    const tab = page ?? (await (await stage.profile({ viewport: { width: 360, height: 740 } })).newPage());
    stage.listen(tab);
    await tab.goto(`${stage.url}/app/confirm${link}`);
    await tab.getByRole('heading', { name: 'Confirm your address' }).waitFor();
    return tab;
  }

  it('confirms the address when its reader presses the button, and not before', async () => {
    const account = await anOwner();
    const isConfirmed = async () =>
      (await stage.service.api.get('/api/users/me', account)).body.email_verified as boolean;
    const page = await opened(await linkOf(account.email));
    expect(await stage.axe(page)).toEqual([]);
    await stage.picture(page, 'confirm-email');
    expect(await isConfirmed()).toBe(false);
    await press(page, 'This is my address');
    await page.getByText('Your address is confirmed.').waitFor();
    expect(await isConfirmed()).toBe(true);
  });

  it('frees the address of an account that somebody else has opened and used', async () => {
    const squatter = await anOwner();
    await aProfile(stage.service.api, squatter.token);
    const page = await opened(await linkOf(squatter.email));
    await press(page, 'I have not opened it: free my address');
    await page.getByText('Your address is free.').waitFor();
    const { body } = await stage.service.api.get('/api/users/me', squatter);
    expect(body.email).toMatch(/@released\.invalid$/);
    expect((await anAccount(stage.service.api, { email: squatter.email })).email).toBe(squatter.email);
  });

  it('that is too old leads to another one, for whoever is signed in', async () => {
    const stranger = await opened(`#${'a'.repeat(64)}`);
    await press(stranger, 'This is my address');
    await stranger.getByText(/link/i).first().waitFor();
    expect(await stranger.getByRole('button', { name: 'Send another link' }).count()).toBe(0);

    const email = 'reader@example.org';
    const client = new HealthRecordsClient({ baseUrl: stage.service.api.url });
    await client.register({ email, password: SECRET, recoveryPhrase: null });
    const old = await linkOf(email);
    const profile = await stage.profile();
    const page = await stage.signIn(profile, email, SECRET);
    await sql(
      stage.service.databaseUrl,
      `UPDATE accounts SET verification_expires = verification_expires - interval '25 hours' WHERE email = $1`,
      [email],
    );
    await opened(old, page);
    await press(page, 'This is my address');
    await press(page, 'Send another link');
    await page.getByText('A new link is on its way.').waitFor();
    await page.goto('about:blank');
    await opened(await linkOf(email, 2), page);
    await press(page, 'This is my address');
    await page.getByText('Your address is confirmed.').waitFor();
    expect(stage.complaints).toEqual([]);
  });
});
