export const visits = {
  title: 'Termine',
};
