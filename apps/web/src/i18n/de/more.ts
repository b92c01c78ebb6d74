export const more = {
  title: 'more',
};
