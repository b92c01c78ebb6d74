/** Shared profiles in another language, written from libs/client/README.md alone: it reproduces every vector. */
import vectors from '../../../libs/client/vectors.json';
import { ask, b64, Questions, TIMEOUT_MS } from './program';

/** By account id. */
const people = new Map(vectors.identities.map((each) => [each.account, each]));
const seedOf = (account: string) => b64(people.get(account)!.sharing_seed_hex);

function askSignatures(all: Questions): void {
  const question = (each: Omit<(typeof vectors.signatures)[number], 'source'>) => {
    const [message, signature] = [each.message_base64, each.signature_base64];
    return { do: 'is_signed', public: each.public_base64, message, signature };
  };
  for (const each of vectors.signatures) all.ok(question(each), true);
  for (const each of vectors.signatures_refused) all.ok(question(each), false);
  for (const each of vectors.x_wing) {
    const [seed, secret] = [b64(each.seed_hex), b64(each.secret_hex)];
    const { public_base64, sent_base64: sent } = each;
    all.ok({ do: 'x_wing_public', seed }, public_base64);
    all.ok(
      { do: 'x_wing_encaps', public: public_base64, randomness: b64(each.randomness_hex) },
      { secret, sent },
    );
    all.ok({ do: 'x_wing_decaps', seed, sent }, secret);
  }
}

function askIdentities(all: Questions): void {
  for (const { account, sent, id_base64: id, ...each } of vectors.identities) {
    const [key, wrapped, iv] = [b64(each.account_key_hex), each.wrapped_base64, each.iv_base64];
    const seeds = { sharing_seed: b64(each.sharing_seed_hex), signing_seed: b64(each.signing_seed_hex) };
    all.ok({ do: 'make_identity', key, account, iv, ...seeds }, { id, sent, wrapped, iv, ...seeds });
    all.ok({ do: 'open_identity', key, wrapped, iv, ...sent }, { id, ...seeds });
    all.ok({ do: 'read_identity', sent }, { account, sharing: sent.sharing, signing: sent.signing, id });
  }
  for (const { code, account, sharing, signing, ...each } of vectors.identities_refused) {
    const [key, wrapped, iv] = [b64(each.account_key_hex), each.wrapped_base64, each.iv_base64];
    all.refused({ do: 'open_identity', key, account, sharing, signing, wrapped, iv }, code);
  }
  for (const { code, sent } of vectors.identities_sent_refused)
    all.refused({ do: 'read_identity', sent }, code);
  for (const { one_base64: one, other_base64: other, digits } of vectors.pair_digits) {
    all.ok({ do: 'pair_digits', one, other }, digits);
    all.ok({ do: 'pair_digits', one: other, other: one }, digits);
  }
}

function askKeys(all: Questions): void {
  for (const { profile_id, key_hex, id_base64 } of vectors.profile_key_ids)
    all.ok({ do: 'profile_key_id', key: b64(key_hex), profile_id }, id_base64);
  for (const { wrap_base64: wrap, randomness_hex, data_key_hex, expected, ...place } of vectors.space_keys) {
    const [data_key, randomness] = [b64(data_key_hex), b64(randomness_hex)];
    const recipient_public = people.get(place.recipient_id)!.sent.sharing;
    const signing_seed = b64(people.get(place.sender_id)!.signing_seed_hex);
    all.ok({ do: 'wrap_space_key', ...place, data_key, recipient_public, signing_seed, randomness }, wrap);
    all.ok(
      { do: 'open_space_key', ...place, wrap, expected, sharing_seed: seedOf(place.recipient_id) },
      data_key,
    );
  }
  for (const { code, recipient, wrap_base64: wrap, ...each } of vectors.space_keys_refused)
    all.refused({ do: 'open_space_key', ...each, wrap, sharing_seed: seedOf(recipient) }, code);
  const [{ data_key_hex, sender_id, ...place }] = vectors.space_keys;
  const from = { data_key: b64(data_key_hex), signing_seed: b64(people.get(sender_id)!.signing_seed_hex) };
  for (const { code, public_base64: recipient_public } of vectors.public_keys_refused)
    all.refused({ do: 'wrap_space_key', ...place, sender_id, ...from, recipient_public }, code);
}

function askRosters(all: Questions): void {
  const chain = vectors.rosters.map(({ roster }) => roster);
  for (const [at, each] of vectors.rosters.entries()) {
    const { content_utf8: content, roster, hash_base64: hash, digits } = each;
    all.ok({ do: 'sign_roster', content, signing_seed: b64(each.signing_seed_hex) }, roster);
    all.ok({ do: 'check_rosters', rosters: chain.slice(0, at + 1) }, { hash, digits });
  }
  for (const { roster, after, code, rule } of vectors.rosters_refused)
    all.refused({ do: 'check_rosters', rosters: [...chain.slice(0, after), roster] }, `${code}:${rule}`);
}

function askInvitations(all: Questions): void {
  for (const { fragment, secret_base64: secret, space_id, invitation_id, ...each } of vectors.invitations) {
    const keys = { proof: each.proof_base64, proof_hash: each.proof_hash_base64, key: b64(each.key_hex) };
    all.ok({ do: 'make_fragment', space_id, invitation_id, secret }, fragment);
    all.ok({ do: 'read_fragment', fragment }, { space_id, invitation_id, secret });
    all.ok({ do: 'invitation_keys', invitation_id, secret }, keys);
  }
  for (const { fragment, code } of vectors.invitations_refused)
    all.refused({ do: 'read_fragment', fragment }, code);
  for (const { sealed, key_hex, content_utf8: content, ...place } of vectors.offers) {
    const key = b64(key_hex);
    const { from, ...rest } = JSON.parse(content) as {
      from: { identity: { account: string }; name: string };
    };
    all.ok({ do: 'seal_offer', key, ...place, content, iv: sealed.iv }, sealed);
    all.ok(
      { do: 'open_offer', key, ...place, sealed },
      { ...rest, from: { identity: known(from.identity.account), name: from.name } },
    );
  }
  for (const { code, key_hex, ...each } of vectors.offers_refused)
    all.refused({ do: 'open_offer', key: b64(key_hex), ...each }, code);
  for (const { sealed, key_hex, content_utf8: content, ...place } of vectors.acceptances) {
    const key = b64(key_hex);
    const { identity, name } = JSON.parse(content) as { identity: { account: string }; name: string };
    all.ok({ do: 'seal_acceptance', key, ...place, content, iv: sealed.iv }, sealed);
    all.ok({ do: 'open_acceptance', key, ...place, sealed }, { identity: known(identity.account), name });
  }
  for (const { code, key_hex, ...each } of vectors.acceptances_refused)
    all.refused({ do: 'open_acceptance', key: b64(key_hex), ...each }, code);
}

function known(account: string) {
  const { sent, id_base64: id } = people.get(account)!;
  return { account, sharing: sent.sharing, signing: sent.signing, id };
}

function askSealed(all: Questions): void {
  for (const { content_utf8: content, epoch, former, profile_id, ...each } of vectors.space_profiles) {
    const key = b64(each.key_hex);
    const place = { kind: 'profile', profile_id, record_id: profile_id, key, epoch };
    const wire = { ciphertext: each.ciphertext_base64, iv: each.iv_base64 };
    const lineage = { generation: each.generation, previous: each.previous_base64 };
    all.ok({ do: 'seal_record', ...place, ...lineage, content, iv: wire.iv }, wire);
    const state = Buffer.from(wire.ciphertext, 'base64').subarray(-16).toString('base64');
    all.ok({ do: 'open_record', ...place, ...wire }, { content, ...lineage, state });
    const { keyChain: chain } = JSON.parse(content) as { keyChain: unknown };
    const links = former.map((link) => ({ epoch: link.epoch, key: b64(link.key_hex) }));
    all.ok({ do: 'open_chain', key, profile_id, epoch, chain }, links);
  }
}

function askTrustBooks(all: Questions, dataKeys: string[]): void {
  for (const [
    at,
    { account_id, contacts, spaces, content_utf8: content, ...each },
  ] of vectors.trust_books.entries()) {
    const place = {
      kind: 'trust-book',
      profile_id: account_id,
      record_id: account_id,
      key: dataKeys[at],
      epoch: 1,
    };
    const wire = { ciphertext: each.ciphertext_base64, iv: each.iv_base64 };
    const lineage = { generation: each.generation, previous: each.previous_base64 };
    all.ok({ do: 'seal_record', ...place, ...lineage, content, iv: wire.iv }, wire);
    all.ok({ do: 'read_trust_book', content }, { contacts, spaces });
  }
  for (const { content_utf8: content, code } of vectors.trust_books_refused)
    all.refused({ do: 'read_trust_book', content }, code);
  for (const { member, theirs, mine, merged } of vectors.trust_merges)
    all.ok({ do: `merge_${member}`, theirs, mine }, merged);
  for (const { member, theirs, mine, code, rule } of vectors.trust_merges_refused)
    all.refused({ do: `merge_${member}`, theirs, mine }, rule ? `${code}:${rule}` : code);
}

it(
  'reproduces and refuses every vector of shared profiles',
  () => {
    const accountKeys = vectors.trust_books.map((each) => b64(each.account_key_hex));
    const dataKeys = ask(accountKeys.map((key) => ({ do: 'account_data_key', key }))).map(({ ok }) => ok);
    const all = new Questions();
    askSignatures(all);
    askIdentities(all);
    askKeys(all);
    askRosters(all);
    askInvitations(all);
    askSealed(all);
    askTrustBooks(all, dataKeys as string[]);
    expect(ask(all.tasks).map((answer, at) => [all.tasks[at], answer])).toEqual(
      all.expected.map((answer, at) => [all.tasks[at], answer]),
    );
    expect(all.tasks.length).toBeGreaterThan(150);
  },
  TIMEOUT_MS,
);
