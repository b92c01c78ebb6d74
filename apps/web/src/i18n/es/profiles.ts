export const profiles = {
  title: 'profiles',
};
