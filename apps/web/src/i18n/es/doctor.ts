export const doctor = {
  title: 'Para el médico',
};
