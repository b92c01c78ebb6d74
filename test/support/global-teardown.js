module.exports = async () => {
  await globalThis.stopPostgres?.();
};
