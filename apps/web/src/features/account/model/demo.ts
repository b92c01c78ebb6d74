import { generateRecoveryPhrase } from '@app/client';
import { signal } from '@preact/signals';
import { keepText } from '../../../platform/model/device-texts';
import { codeOf } from '../../../platform/model/failure';
import { loadAfter } from '../../../platform/model/records';
import { eraseAccount } from './sign-out';
import { client, signIn, unlock } from '../../../platform/model/session';

const KEY = 'health-records/page/demo';

/** The account of the demo family. It holds nothing real, so its password may be stored on the device in plain text. */
interface DemoAccount {
  email: string;
  secret: string;
}

/** The demo account of this browser; absent where there is none. */
export const demoAccount = signal<DemoAccount | undefined>(read());

function read(): DemoAccount | undefined {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? 'null') as DemoAccount | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function keep(account: DemoAccount | undefined): void {
  keepText(KEY, account ? JSON.stringify(account) : null);
  demoAccount.value = account;
}

export function isDemo(): boolean {
  return demoAccount.value !== undefined && demoAccount.value.email === client.email;
}

/** Unlocks the demo family with the password that this browser keeps. */
export const unlockDemoFamily = (): Promise<void> => unlock(demoAccount.value?.secret ?? '');

/** Opens the demo family of this browser, or makes one where there is none, or none any more. */
export async function openDemoFamily(): Promise<void> {
  const account = demoAccount.value;
  if (!account) return makeDemoFamily();
  try {
    await signIn(account.email, account.secret, () => Promise.reject(new Error('no second step')));
  } catch (error) {
    if (codeOf(error) !== 'password_wrong') throw error;
    await makeDemoFamily();
  }
}

/** Makes an account with invented people, medicines and measurements, encrypted as every other. */
async function makeDemoFamily(): Promise<void> {
  const part = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join('');
  const account = { email: `demo-${part()}@demo.invalid`, secret: `demo ${part()}` };
  keep(account);
  try {
    await loadAfter(async () => {
      await client.register({
        email: account.email,
        password: account.secret,
        recoveryPhrase: await generateRecoveryPhrase(),
        deviceLabel: 'Demo',
      });
      const { demoDocument } = await import('./demo-family');
      await client.transfer.importAll(demoDocument(new Date()));
    });
  } catch (error) {
    keep(undefined);
    throw error;
  }
}

/** Erases the account with all that it holds. */
export async function eraseDemoFamily(): Promise<void> {
  const account = demoAccount.value;
  if (!account) return;
  await eraseAccount(account.secret);
  keep(undefined);
}
