import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readBase, textOfBase } from '../base-file';
import { optionOf } from './arguments';
import { complain, print } from './output';
import { newSigningKey, publicKeyOf, signEditions } from './sign';

/**
 * Signs each edition of the compiled base with the operator's key, and keeps the signatures in the base.
 * Usage: sign-cli --new-key <file>: writes a new key, never over a file that exists;
 *        sign-cli --key <file> [--base <file>]: signs, prints the public key for the settings of clients, and writes it
 *        beside the base;
 *        sign-cli --once [--base <file>]: the same with a new key that is forgotten, so that nobody can sign another base.
 */
function main(args: readonly string[]): void {
  const [newKey, key] = [optionOf(args, '--new-key'), optionOf(args, '--key')];
  if (newKey !== undefined) {
    const pem = newSigningKey();
    writeFileSync(newKey, pem, { mode: 0o600, flag: 'wx' });
    print(`public key: ${publicKeyOf(pem)}`);
  } else if (key !== undefined || args.includes('--once')) {
    const file = resolve(optionOf(args, '--base') ?? 'dist/libs/interactions/knowledge-base.json');
    const pem = key === undefined ? newSigningKey() : readFileSync(key, 'utf8');
    const signed = signEditions(readBase(readFileSync(file)), pem, new Date());
    writeFileSync(file, textOfBase(signed));
    writeFileSync(file.replace(/(\.json)?$/, '.pub'), publicKeyOf(pem));
    print(`${file}: version ${signed.version}, signed ${signed.signatures?.en?.signed_at}`);
    print(`public key: ${publicKeyOf(pem)}`);
  } else {
    complain('usage: kb:sign -- --new-key <file> | (--key <file> | --once) [--base <file>]');
    process.exitCode = 1;
  }
}

main(process.argv.slice(2));
