export const doctor = {
  title: 'Für Arzt oder Tierarzt',
};
