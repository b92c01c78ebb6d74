export const transfer = {
  title: 'Import and export',
};
