module.exports = async () => {
  await globalThis.stopPgBouncer?.();
  await globalThis.stopPostgres?.();
};
