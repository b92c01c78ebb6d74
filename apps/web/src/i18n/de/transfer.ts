export const transfer = {
  title: 'Import und Export',
};
