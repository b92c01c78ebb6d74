module.exports = async () => {
  globalThis.stopServiceHosts?.();
  await globalThis.stopPgBouncer?.();
  await globalThis.stopPostgres?.();
};
