export const measures = {
  title: 'Medidas',
};
