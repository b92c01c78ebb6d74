/** The encryption contract in another language, written from libs/client/README.md alone: it reproduces every vector. */
import vectors from '../../../libs/client/vectors.json';
import { ask, b64, Questions, TIMEOUT_MS, words } from './program';

it(
  'reproduces and refuses every vector',
  () => {
    const all = new Questions();
    for (const each of vectors.password) {
      const { password, kdf, iterations } = each;
      const keys = { auth_secret: each.auth_secret_base64, wrapping_key: b64(each.wrapping_key_hex) };
      all.ok({ do: 'password', password, kdf, iterations, salt: each.salt_base64 }, keys);
    }
    for (const { kdf, iterations, salt_base64: salt } of vectors.kdf_refused) {
      all.refused({ do: 'password', password: 'password', kdf, iterations, salt }, 'kdf_refused');
    }
    for (const { typed, canonical, ...each } of vectors.recovery) {
      const wrapping_key = b64(each.wrapping_key_hex);
      const keys = { recovery_proof: each.recovery_proof_base64, wrapping_key, canonical };
      all.ok({ do: 'recovery', typed, words }, keys);
    }
    for (const { typed, code } of vectors.recovery_refused) {
      all.refused({ do: 'canonical_phrase', typed, words }, code);
    }
    for (const { version, purpose, account_id, account_id_of_key, ...each } of vectors.account_keys) {
      const [key, data_key] = [b64(each.wrapping_key_hex), b64(each.data_key_hex)];
      const wrap = { wrapped: each.wrapped_base64, iv: each.iv_base64 };
      const place = { key, purpose, account_id };
      const opened = { version, data_key, id: each.id_base64, account_id_of_key };
      all.ok({ do: 'open_account_key', ...place, ...wrap }, opened);
      all.ok({ do: 'pseudonym', key: data_key, text: each.pseudonym_text }, each.pseudonym);
      if (version === 1) continue;
      all.ok({ do: 'wrap_account_key', ...place, data_key, iv: each.iv_base64 }, wrap);
    }
    for (const { code, purpose, account_id, ...each } of vectors.account_keys_refused) {
      const wrap = { wrapped: each.wrapped_base64, iv: each.iv_base64 };
      const key = b64(each.wrapping_key_hex);
      all.refused({ do: 'open_account_key', key, purpose, account_id, ...wrap }, code);
    }
    for (const { account_id, ...each } of vectors.recovery_wraps) {
      const [key, data_key] = [b64(each.wrapping_key_hex), b64(each.data_key_hex)];
      const wrap = { wrapped: each.wrapped_base64, iv: each.iv_base64 };
      all.ok({ do: 'open_recovery_wrap', key, ...wrap }, { account_id, data_key });
      all.ok({ do: 'wrap_for_recovery', key, account_id, data_key, iv: wrap.iv }, wrap);
    }
    for (const { code, ...each } of vectors.recovery_wraps_refused) {
      const wrap = { wrapped: each.wrapped_base64, iv: each.iv_base64 };
      // One without a name is that of an account whose id follows from its key.
      if (each.name === 'no account in front') continue;
      all.refused({ do: 'open_recovery_wrap', key: b64(each.wrapping_key_hex), ...wrap }, code);
    }
    for (const each of vectors.account_data_keys)
      all.ok({ do: 'account_data_key', key: b64(each.account_key_hex) }, b64(each.data_key_hex));
    for (const { id_base64: id, ...each } of vectors.former_keys) {
      const [key, former] = [b64(each.account_key_hex), b64(each.former_key_hex)];
      const wrap = { wrapped: each.wrapped_base64, iv: each.iv_base64 };
      all.ok({ do: 'open_former', key, id, ...wrap }, former);
      all.ok({ do: 'wrap_former', key, former, iv: wrap.iv }, wrap);
    }
    for (const { code, id_base64: id, ...each } of vectors.former_keys_refused) {
      const wrap = { wrapped: each.wrapped_base64, iv: each.iv_base64 };
      all.refused({ do: 'open_former', key: b64(each.account_key_hex), id, ...wrap }, code);
    }
    for (const { profile_id, epoch, chain, former, ...each } of vectors.key_chains) {
      const key = b64(each.profile_key_hex);
      const opened = former.map((link) => ({ epoch: link.epoch, key: b64(link.key_hex) }));
      all.ok({ do: 'open_chain', key, profile_id, epoch, chain }, opened);
      chain.forEach(({ iv, wrapped, epoch: of }, at) =>
        all.ok({ do: 'wrap_link', key, profile_id, former: opened[at].key, epoch: of, iv }, wrapped),
      );
    }
    for (const { code, profile_id, epoch, chain, ...each } of vectors.key_chains_refused) {
      const key = b64(each.profile_key_hex);
      all.refused({ do: 'open_chain', key, profile_id, epoch, chain }, code);
    }
    for (const { account_id, credential_id, account_key_id, ...each } of vectors.passkeys) {
      const place = { account_id, credential_id, prf: b64(each.prf_hex) };
      const wrap = { wrapped: each.wrapped_base64, iv: each.iv_base64 };
      const data_key = b64(each.data_key_hex);
      all.ok({ do: 'open_passkey_wrap', ...place, account_key_id, ...wrap }, { data_key });
      all.ok({ do: 'wrap_for_passkey', ...place, data_key, iv: wrap.iv }, wrap);
    }
    for (const { code, account_id, credential_id, account_key_id, ...each } of vectors.passkeys_refused) {
      const place = { account_id, credential_id, account_key_id, prf: b64(each.prf_hex) };
      const wrap = { wrapped: each.wrapped_base64, iv: each.iv_base64 };
      all.refused({ do: 'open_passkey_wrap', ...place, ...wrap }, code);
    }
    for (const { epoch, profile_id, version, ...each } of vectors.profile_keys) {
      const wrap = { wrapped: each.wrapped_base64, iv: each.iv_base64 };
      const [key, data_key] = [b64(each.account_key_hex), b64(each.data_key_hex)];
      all.ok({ do: 'open_profile_key', key, profile_id, ...wrap }, { data_key, epoch });
      if (version === 1) continue;
      all.ok({ do: 'wrap_profile_key', key, profile_id, data_key, epoch, iv: wrap.iv }, wrap);
    }
    for (const { code, profile_id, ...each } of vectors.profile_keys_refused) {
      const wrap = { wrapped: each.wrapped_base64, iv: each.iv_base64 };
      all.refused({ do: 'open_profile_key', key: b64(each.account_key_hex), profile_id, ...wrap }, code);
    }
    for (const { version, ...each } of vectors.records) {
      const { profile_id, kind, record_id, epoch, generation } = each;
      const place = { profile_id, kind, record_id, key: b64(each.key_hex), epoch };
      const wire = { ciphertext: each.ciphertext_base64, iv: each.iv_base64 };
      const [content, previous] = [each.content_utf8, each.previous_base64];
      const opened = { content, generation, previous, state: each.state_base64 };
      all.ok({ do: 'open_record', ...place, ...wire }, opened);
      if (version === 1) continue;
      all.ok({ do: 'seal_record', ...place, content, generation, previous, iv: wire.iv }, wire);
    }
    for (const { code, ...each } of vectors.records_refused) {
      const { profile_id, kind, record_id, epoch } = each;
      const place = { profile_id, kind, record_id, key: b64(each.key_hex), epoch };
      all.refused(
        { do: 'open_record', ...place, ciphertext: each.ciphertext_base64, iv: each.iv_base64 },
        code,
      );
    }
    for (const { length, padded } of vectors.padding) all.ok({ do: 'pad', length }, padded);
    for (const { entries, head_base64: head } of vectors.heads) {
      all.ok({ do: 'encode_head', entries }, head);
      all.ok({ do: 'decode_head', head }, entries);
    }
    for (const { head_base64: head, code } of vectors.heads_refused) {
      all.refused({ do: 'decode_head', head }, code);
    }
    for (const { entries, kinds, head_base64, present } of vectors.present) {
      all.ok({ do: 'encode_head', entries }, head_base64);
      all.ok({ do: 'encode_present', entries, kinds }, present);
      all.ok({ do: 'decode_present', entries, present }, kinds);
    }
    for (const { entries, present, code } of vectors.present_refused) {
      all.refused({ do: 'decode_present', entries, present }, code);
    }
    for (const { key_hex, proof_base64: proof, ...each } of vectors.dose_proofs) {
      all.ok({ do: 'prove_dose', ...each, key: b64(key_hex) }, proof);
      all.ok({ do: 'is_proven', ...each, key: b64(key_hex), proof }, true);
    }
    for (const { key_hex, proof_base64: proof, ...each } of vectors.dose_proofs_refused) {
      all.ok({ do: 'is_proven', ...each, key: b64(key_hex), proof }, false);
    }
    for (const { stamp_base64: stamp, ...parts } of vectors.stamps) {
      all.ok({ do: 'read_stamp', stamp }, parts);
      all.ok({ do: 'make_stamp', ...parts }, stamp);
    }
    for (const { stamp } of vectors.stamps_refused) all.ok({ do: 'read_stamp', stamp }, null);
    for (const { after, ...each } of vectors.stamps_after) all.ok({ do: 'stamp_after', ...each }, after);
    for (const { later, ...each } of vectors.stamps_order) all.ok({ do: 'later', ...each }, later);
    for (const { merged, ...each } of vectors.merges) {
      all.ok({ do: 'merge', ...each, now_ms: Date.now() }, merged);
    }
    for (const {
      password,
      file_base64: file,
      content_utf8: content,
      header_utf8,
    } of vectors.encrypted_file) {
      const { salt, iv } = JSON.parse(header_utf8) as { salt: string; iv: string };
      all.ok({ do: 'open_file', file, password }, content);
      all.ok({ do: 'seal_file', content, password, salt, iv }, file);
    }
    for (const { password, file_base64: file, code } of vectors.encrypted_file_refused) {
      all.refused({ do: 'open_file', file, password }, code);
    }
    expect(ask(all.tasks).map((answer, at) => [all.tasks[at], answer])).toEqual(
      all.expected.map((answer, at) => [all.tasks[at], answer]),
    );
    expect(all.tasks.length).toBeGreaterThan(100);
  },
  TIMEOUT_MS,
);
