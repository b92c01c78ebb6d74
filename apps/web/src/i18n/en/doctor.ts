export const doctor = {
  title: 'For the doctor',
};
