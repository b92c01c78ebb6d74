export const visits = {
  title: 'Citas',
};
