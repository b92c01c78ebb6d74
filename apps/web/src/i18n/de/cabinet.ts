export const cabinet = {
  title: 'cabinet',
};
