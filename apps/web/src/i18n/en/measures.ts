export const measures = {
  title: 'Measures',
};
