export const visits = {
  title: 'Visits',
};
