import { ApiError, type SecondStepAsked, type SecondStepChoice } from '@app/client';
import { Authenticator, TEST_SETTINGS } from '@app/testing';
import { Secret, TOTP } from 'otpauth';
import { bySecondStep, PasskeyError, webPasskeys } from '../../libs/client/src/passkeys';
import type { WebAuthnFunctions } from '../../libs/client/src/passkeys/web-authenticator';
import { aPerson, aPersonWithPhrase, openClient, type Person } from '../support/people';
import { sharedService } from '../support/service';

/** The second step of the client against the real service. */

let url: string;
let person: Person;
beforeAll(async () => (url = (await sharedService()).api.url));
beforeEach(async () => (person = await aPerson(url)));

const open = (webAuthn?: WebAuthnFunctions) => openClient(url, { passkeys: webPasskeys(webAuthn) });
/** What the app shows, `steps` after now: one code works once. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** One authenticator, as a browser answers for it. */
function aBrowser(): WebAuthnFunctions {
  const phone = new Authenticator(TEST_SETTINGS.WEB_ORIGIN);
  return {
    startRegistration: ({ optionsJSON }) => Promise.resolve(phone.create(optionsJSON as never) as never),
    startAuthentication: ({ optionsJSON }) => Promise.resolve(phone.get(optionsJSON as never) as never),
  };
}

/** Answers in turn, and keeps what was asked. */
function choosing(...choices: (SecondStepChoice | Error)[]) {
  const asked: SecondStepAsked[] = [];
  const choose = (question: SecondStepAsked): Promise<SecondStepChoice> => {
    asked.push(question);
    const choice = choices[asked.length - 1];
    return choice instanceof Error ? Promise.reject(choice) : Promise.resolve(choice);
  };
  return { asked, choose };
}

describe('client.secondStep', () => {
  it('is undefined without the option passkeys', () => {
    expect(openClient(url).secondStep).toBeUndefined();
  });

  it('adds an app, asks for its codes at a login, and forgets it again', async () => {
    const browser = aBrowser();
    const client = open(browser);
    await client.login(person.email, person.password);
    const { password } = person;
    expect(await client.secondStep!.state()).toEqual({ isRequired: false, hasApp: false });
    await expect(client.secondStep!.addApp('not this one')).rejects.toMatchObject({ code: 'password_wrong' });
    const { ticket, secret, uri } = await client.secondStep!.addApp(password);
    expect(uri).toMatch(/^otpauth:\/\/totp\/Health%20Records:/);
    const [first, second] = [codeOf(secret, -1), codeOf(secret)];
    await expect(client.secondStep!.confirmApp(ticket, '000000')).rejects.toMatchObject({
      code: 'second_step_wrong',
    });
    await client.secondStep!.confirmApp(ticket, ` ${first.slice(0, 3)} ${first.slice(3)}`);
    await expect(client.secondStep!.set(true, password)).rejects.toMatchObject({
      code: 'second_step_unsafe',
    });
    await client.passkeys!.add({ currentPassword: password, label: 'Phone' });
    expect(await client.secondStep!.set(true, password)).toEqual({ isRequired: true, hasApp: true });

    const refused = open().login(person.email, password);
    await expect(refused).rejects.toMatchObject({ code: 'second_step_required' });
    const { asked, choose } = choosing({ code: '000000' }, { code: second });
    const other = open();
    await other.login(person.email, password, { deviceLabel: 'Tablet', secondStep: bySecondStep(choose) });
    expect(other.state).toBe('unlocked');
    expect(asked).toEqual([
      { hasApp: true, hasPasskey: true, failure: undefined },
      { hasApp: true, hasPasskey: true, failure: expect.any(ApiError) },
    ]);
    expect((await other.sessions.list())[0]).toMatchObject({ deviceLabel: 'Tablet' });
    await expect(other.secondStep!.removeApp(password)).rejects.toMatchObject({ code: 'second_step_unsafe' });
    expect(await other.secondStep!.set(false, password)).toEqual({ isRequired: false, hasApp: true });
    await other.secondStep!.removeApp(password);
    expect(await other.secondStep!.state()).toEqual({ isRequired: false, hasApp: false });
  });

  it('takes a passkey, also after one that was refused, and ends where the person goes away', async () => {
    const browser = aBrowser();
    const client = open(browser);
    const { email, password } = await aPersonWithPhrase(url);
    await client.login(email, password);
    await client.passkeys!.add({ currentPassword: password, label: 'Phone' });
    await client.secondStep!.set(true, password);
    const refusing = jest
      .spyOn(browser, 'startAuthentication')
      .mockRejectedValueOnce(Object.assign(new Error(), { name: 'NotAllowedError' }));
    const { asked, choose } = choosing('passkey', 'passkey');
    const other = open();
    await other.login(email, password, { secondStep: bySecondStep(choose, browser) });
    expect(refusing).toHaveBeenCalledTimes(2);
    expect(asked.map(({ failure }) => failure)).toEqual([undefined, expect.any(PasskeyError)]);
    expect(other.state).toBe('unlocked');

    const away = choosing(new Error('away'));
    const third = open();
    await expect(third.login(email, password, { secondStep: bySecondStep(away.choose) })).rejects.toThrow(
      'away',
    );
    expect(third.state).toBe('signed-out');
  });

  it('is not asked after a recovery, which switches it off', async () => {
    const browser = aBrowser();
    const client = open(browser);
    const { email, password, phrase } = await aPersonWithPhrase(url);
    await client.login(email, password);
    await client.passkeys!.add({ currentPassword: password, label: 'Phone' });
    await client.secondStep!.set(true, password);
    const other = open();
    await other.recover(email, phrase, 'nine lives of the purple otter');
    expect(await other.secondStep!.state()).toEqual({ isRequired: false, hasApp: false });
    expect(await other.passkeys!.list()).toHaveLength(1);
  });
});
