import { generateRecoveryPhrase, HealthRecordsClient } from '@app/client';
import { Secret, TOTP } from 'otpauth';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { describeInBrowser, PageStage, STAGE_TIMEOUT_MS } from './page-stage';

const PHONE = { width: 360, height: 740 };
const SECRET = 'correct horse battery staple';

jest.setTimeout(STAGE_TIMEOUT_MS);

/** A day with a passkey, on a phone, with an authenticator of Chromium behind the page. */
describeInBrowser('passkeys of the page', () => {
  let stage: PageStage;
  let profile: BrowserContext;
  let page: Page;
  let devtools: CDPSession;
  let accounts = 0;

  beforeAll(async () => (stage = await PageStage.start('http://localhost')), STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());
  afterEach(() => profile?.close());

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const sections = () => page.getByRole('navigation', { name: 'Sections' });
  const locked = () => page.getByRole('heading', { name: 'Locked' });

  /** An account whose page is open in a new profile, on a device with an authenticator. */
  async function begin(authenticator = {}, phrase: string | null = null): Promise<string> {
    const email = await account(phrase);
    profile = await stage.profile({ viewport: PHONE });
    page = await stage.signIn(profile, email, SECRET);
    await plugIn(authenticator);
    return email;
  }

  async function account(phrase: string | null = null): Promise<string> {
    const email = `ada${++accounts}@example.org`;
    const client = new HealthRecordsClient({ baseUrl: stage.service.api.url });
    await client.register({ email, password: SECRET, recoveryPhrase: phrase });
    const { id } = await client.profiles.create({
      kind: 'human',
      relationship: 'self',
      details: { name: 'Ada Canary' },
    });
    const details = { name: 'Amlodipine', schedule: { times: ['11:00'] }, startDate: '2026-01-01' };
    await client.medications.create({
      profileId: id,
      route: 'oral',
      schedule: { timesPerDay: 1 },
      details,
    });
    return email;
  }

  async function plugIn({ hasPrf = true, isUserVerified = true } = {}): Promise<void> {
    devtools = await profile.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified,
        automaticPresenceSimulation: true,
        hasPrf,
      },
    });
  }

  /** At the sign-in, with nothing of the account on the device. */
  async function forgetAll(): Promise<void> {
    await page.evaluate('localStorage.clear(), sessionStorage.clear()');
    await page.goto(`${stage.url}/app/sign-in`);
  }

  /** A device with an authenticator on which nobody has signed in, at the sign-in. */
  async function atSignIn(): Promise<void> {
    profile = await stage.profile({ viewport: PHONE });
    page = await profile.newPage();
    stage.listen(page);
    await plugIn();
    await page.goto(`${stage.url}/app/sign-in`);
  }

  async function signIn(email: string): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(SECRET);
    await button('Sign in').click();
    await sections().waitFor();
  }

  async function add(): Promise<void> {
    await stage.open(page, '/app/security', 'Security');
    await page.getByText('Add a passkey on this device').click();
    const form = page.locator('details[open]');
    await form.getByLabel('Password now').fill(SECRET);
    await form.getByRole('button', { name: 'Add the passkey' }).click();
  }

  it('unlocks after a reload and without a network, and no password is typed', async () => {
    await begin();
    await add();
    await page.locator('.toast').getByText('The passkey is added.').waitFor();
    await page.getByText('signs in and unlocks').waitFor();
    expect(await stage.axe(page)).toEqual([]);
    await stage.picture(page, 'passkeys');
    await page.reload();
    await locked().waitFor();
    await button('Unlock with a passkey').waitFor();
    expect(await stage.axe(page)).toEqual([]);
    await stage.picture(page, 'passkey-unlock');
    await button('Unlock with a passkey').click();
    await sections().waitFor();

    // What the screen needs is loaded before the network goes.
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await button('Lock').click();
    await locked().waitFor();
    await profile.setOffline(true);
    await button('Unlock with a passkey').click();
    await sections().waitFor();
    await page.getByText('Amlodipine').first().waitFor();
    await profile.setOffline(false);
    expect(stage.complaints).toEqual([]);
  });

  it('signs in after a sign-out, and unlocks with it', async () => {
    await begin();
    await add();
    await page.locator('.toast').getByText('The passkey is added.').waitFor();
    // A browser that does not offer passkeys in fields.
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await forgetAll();
    await button('Sign in with a passkey').click();
    await sections().waitFor();
    await stage.picture(page, 'passkey-signed-in');
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await page.getByText('Amlodipine').first().waitFor();
    await stage.open(page, '/app/security', 'Security');
    await page.getByText('Signed in with a passkey').waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it('is offered in the field of the email, and signs in without a press of a button', async () => {
    await begin();
    await add();
    await page.locator('.toast').getByText('The passkey is added.').waitFor();
    await forgetAll();
    await sections().waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it('signs in without PRF, says so, and the password unlocks', async () => {
    await begin({ hasPrf: false });
    await add();
    await page
      .locator('.toast')
      .getByText(/^The passkey signs in\. It cannot unlock/)
      .waitFor();
    await page.getByText('signs in, and the password unlocks').waitFor();
    await forgetAll();
    await locked().waitFor();
    expect(await button('Unlock with a passkey').count()).toBe(0);
    await page.getByLabel('Password', { exact: true }).fill(SECRET);
    await button('Unlock').click();
    await sections().waitFor();
  });

  it('leaves the other one out where the account has two, and each unlocks its own device', async () => {
    const email = await begin();
    await add();
    await page.locator('.toast').getByText('The passkey is added.').waitFor();
    const first = [profile, page] as const;
    // Another device, with an authenticator of its own.
    await atSignIn();
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await page.reload();
    await signIn(email);
    await button('Set it up').click();
    await page.locator('.toast').getByText('The passkey is added.').waitFor();
    await stage.open(page, '/app/security', 'Security');
    await page.getByText('signs in and unlocks').nth(1).waitFor();
    expect(await page.getByText('Not added by your devices').count()).toBe(0);
    for (const [device, tab] of [[profile, page] as const, first]) {
      await tab.reload();
      await tab.getByRole('button', { name: 'Unlock with a passkey' }).click();
      await tab.getByRole('navigation', { name: 'Sections' }).waitFor();
      if (device !== profile) await device.close();
    }
    expect(stage.complaints).toEqual([]);
  });

  it('carries a family through a day: after the first sign-in no password is typed', async () => {
    const email = await account(await generateRecoveryPhrase());
    await atSignIn();
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await page.reload();
    await signIn(email);
    await button('Set it up').click();
    await page.locator('.toast').getByText('The passkey is added.').waitFor();
    const unlock = async () => {
      await locked().waitFor();
      await button('Unlock with a passkey').click();
      await sections().waitFor();
    };
    // The morning: locked after some minutes, and a dose.
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await button('Lock').click();
    await unlock();
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await page.getByText('Amlodipine').first().waitFor();
    // On the way: no network, and the page is opened again.
    await profile.setOffline(true);
    await page.reload();
    await unlock();
    await page.getByText('Amlodipine').first().waitFor();
    await profile.setOffline(false);
    // The evening: signed out by another device, and in again.
    const other = new HealthRecordsClient({ baseUrl: stage.service.api.url });
    await other.login(email, SECRET);
    const sessions = await other.sessions.list();
    for (const { id, current } of sessions) if (!current) await other.sessions.end(id);
    await page.reload();
    await button('Unlock with a passkey').click();
    await page.getByText('You were signed out.').waitFor();
    await button('Sign in')
      .or(page.getByRole('link', { name: 'Sign in', exact: true }))
      .click();
    await button('Sign in with a passkey').click();
    await sections().waitFor();
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await page.getByText('Amlodipine').first().waitFor();
  });

  it('is offered once after the first sign-in, and no password is typed again', async () => {
    const email = await account();
    await atSignIn();
    await signIn(email);
    const offer = page.getByText('Unlock with your fingerprint, face or PIN next time.');
    await offer.waitFor();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    expect(await stage.axe(page)).toEqual([]);
    await stage.picture(page, 'passkey-offer');
    await button('Set it up').click();
    await page.locator('.toast').getByText('The passkey is added.').waitFor();
    expect(await offer.count()).toBe(0);
    await page.reload();
    await button('Unlock with a passkey').click();
    await sections().waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it('is not offered a second time to somebody who has refused', async () => {
    const email = await account();
    await atSignIn();
    await signIn(email);
    await button('Not now').click();
    await button('Lock').click();
    await locked().waitFor();
    await button('Use another account').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Use another account' }).click();
    await button('I have an account')
      .or(page.getByRole('link', { name: 'I have an account' }))
      .click();
    await signIn(email);
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('Unlock with your fingerprint').count()).toBe(0);
  });

  it('adds nothing where the person is not verified', async () => {
    await begin({ isUserVerified: false });
    await add();
    await page
      .locator('.note')
      .getByText(/^(No passkey was used|The passkey could not be used)/)
      .waitFor();
    await page.getByText('There is no passkey yet.').waitFor();
  });

  it('is renamed and removed, and then the page offers it no more', async () => {
    await begin();
    await add();
    await page.getByText('signs in and unlocks').waitFor();
    await page.getByRole('button', { name: /^Change / }).click();
    const dialog = page.getByRole('dialog');
    expect(await stage.axe(page)).toEqual([]);
    await stage.picture(page, 'passkey-change');
    await dialog.getByLabel('Name').fill('Kitchen');
    await dialog.getByRole('button', { name: 'Save the name' }).click();
    await page.getByRole('button', { name: 'Change Kitchen' }).click();
    await dialog.getByLabel('Password now').fill('not this one');
    await dialog.getByRole('button', { name: 'Remove the passkey' }).click();
    await dialog.getByText('This password does not open your records.').waitFor();
    await dialog.getByLabel('Password now').fill(SECRET);
    await dialog.getByRole('button', { name: 'Remove the passkey' }).click();
    await page.getByText('There is no passkey yet.').waitFor();
    await page.reload();
    await locked().waitFor();
    expect(await button('Unlock with a passkey').count()).toBe(0);
  });

  describe('as a second step, or an app in its place', () => {
    /** An act of the section that asks for the password. */
    async function act(name: string): Promise<void> {
      await page.getByText(name, { exact: true }).first().click();
      const form = page.locator('details[open]').last();
      await form.getByLabel('Password now').fill(SECRET);
      await form.getByRole('button', { name, exact: true }).click();
    }
    const toasted = (text: string) => page.locator('.toast').getByText(text).waitFor();
    /** What the app shows: a code works once, and one of a minute ago works, too. */
    const codeOf = (secret: string, steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

    it('is switched on, asks for a code at the next sign-in, and takes no wrong one', async () => {
      const email = await begin({}, await generateRecoveryPhrase());
      await stage.open(page, '/app/security', 'Security');
      await act('Add an app that shows codes');
      await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
      const secret = (await page.locator('code').innerText()).replace(/\s/g, '');
      expect(await stage.axe(page)).toEqual([]);
      await stage.picture(page, 'second-step-app');
      await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, -1));
      await button('Check the code').click();
      await toasted('The app is added.');
      await act('Ask for a second step');
      await toasted('Sign-ins by password ask for a second step now.');
      await stage.picture(page, 'second-step-on');

      await forgetAll();
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(SECRET);
      await button('Sign in').click();
      await page.getByText('Enter the code that your app shows.').waitFor();
      expect(await stage.axe(page)).toEqual([]);
      await stage.picture(page, 'second-step-asked');
      await page.getByLabel('Code', { exact: true }).fill('000000');
      await button('Go on').click();
      await page
        .locator('.note')
        .getByText(/This code is not right/)
        .waitFor();
      await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 0));
      await button('Go on').click();
      await sections().waitFor();
      await stage.open(page, '/app/cabinet', 'Cabinet');
      await page.getByText('Amlodipine').first().waitFor();

      await stage.open(page, '/app/security', 'Security');
      await act('Ask for no second step');
      await toasted('Sign-ins ask for the password alone now.');
    });

    it('is the passkey where there is no app, and the sign-in can be left', async () => {
      const email = await begin({}, await generateRecoveryPhrase());
      await add();
      await toasted('The passkey is added.');
      await act('Ask for a second step');
      await toasted('Sign-ins by password ask for a second step now.');
      // A browser that does not offer passkeys in fields.
      await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
      await forgetAll();
      const enter = async () => {
        await page.getByLabel('Email').fill(email);
        await page.getByLabel('Password', { exact: true }).fill(SECRET);
        await button('Sign in').click();
        await page.getByText('Confirm with your passkey.').waitFor();
      };
      await enter();
      await button('Cancel').click();
      await enter();
      await button('Use a passkey').click();
      await sections().waitFor();
      await stage.open(page, '/app/cabinet', 'Cabinet');
      await page.getByText('Amlodipine').first().waitFor();
      expect(stage.complaints).toEqual([]);
    });
  });
});
