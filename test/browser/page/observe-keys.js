// Runs before every script of the page: writes down each key that WebCrypto makes, opens or derives, also those that no
// script may read, so that what the browser sends can be searched for their bytes.
(() => {
  const keys = (globalThis.observedKeys = []);
  const own = SubtleCrypto.prototype;
  const { importKey, exportKey, generateKey, unwrapKey, deriveBits, deriveKey } = own;
  const note = (what, bytes) => {
    let text = '';
    for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
    keys.push({ what, base64: btoa(text) });
  };
  const labelOf = ({ salt, info = salt }) => {
    const text = String.fromCharCode(...new Uint8Array(info.buffer ?? info));
    return text.startsWith('health-records/') ? text : 'password';
  };

  own.importKey = function (format, data, ...rest) {
    if (format === 'raw') note('input of a derivation', data);
    return importKey.call(this, format, data, ...rest);
  };
  own.generateKey = async function (algorithm, extractable, usages) {
    if (algorithm.name !== 'AES-GCM') return generateKey.call(this, algorithm, extractable, usages);
    const key = await generateKey.call(this, algorithm, true, usages);
    const bytes = await exportKey.call(this, 'raw', key);
    note('data key', bytes);
    return extractable ? key : importKey.call(this, 'raw', bytes, algorithm, false, usages);
  };
  own.unwrapKey = async function (format, wrapped, by, how, algorithm, extractable, usages) {
    // As a key for AES: one for HKDF can never be exported.
    const key = await unwrapKey.call(this, format, wrapped, by, how, 'AES-GCM', true, ['encrypt']);
    const bytes = await exportKey.call(this, 'raw', key);
    note('data key', bytes);
    // What is derived from it is written down, too.
    const observable = usages.includes('deriveKey') ? [...usages, 'deriveBits'] : usages;
    return importKey.call(this, 'raw', bytes, algorithm, extractable, observable);
  };
  own.deriveBits = async function (algorithm, key, length) {
    const bits = await deriveBits.call(this, algorithm, key, length);
    // Only the id of the account key, which is public, is derived by HKDF.
    if (algorithm.name === 'HKDF') return bits;
    note(`derived: ${labelOf(algorithm)}`, bits);
    return bits;
  };
  own.deriveKey = async function (algorithm, key, ...rest) {
    note(`derived: ${labelOf(algorithm)}`, await deriveBits.call(this, algorithm, key, 256));
    return deriveKey.call(this, algorithm, key, ...rest);
  };
})();
