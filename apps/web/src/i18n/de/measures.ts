export const measures = {
  title: 'Messwerte',
};
