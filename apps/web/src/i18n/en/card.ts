/** The emergency card, and the search over everything. */
export const card = {
  title: 'Emergency card',
  intro:
    'What helpers must know, in your language and in English: for the wallet, or as a picture on the phone.',
  open: 'The print and the picture are not encrypted: anyone who has them can read them. That is what they are for.',
  picture: 'Save as a picture',
  change: 'Change what it says',
  heading: 'EMERGENCY CARD',
  made: 'Written by the family, {{when}}',
  unknown: 'nothing entered',
  part: {
    allergies: 'Allergies',
    conditions: 'Illnesses',
    medicines: 'Medicines',
    bloodGroup: 'Blood group',
    contacts: 'Call',
    doctor: 'Doctor',
  },
  fieldsHint: 'Allergies, illnesses and medicines come from what is entered already.',
  contactsLabel: 'Whom to call, one a line: name and telephone',
  doctorLabel: 'Doctor: name and telephone',
};

export const find = {
  title: 'Search',
  label: 'Search everything',
  hint: 'Medicines, substances, visits, measurements, notes, people. It happens on this device only.',
  count_one: 'One result',
  count_other: '{{count}} results',
  more: 'The first {{shown}} of {{count}} results',
  kind: {
    person: 'Person or pet',
    medicine: 'Medicine',
    visit: 'Visit',
    vaccination: 'Vaccination',
    reading: 'Measurement',
  },
};

export const trash = {
  title: 'Trash',
  text: 'What you delete stays here for {{days}} days, on all your devices, encrypted as before. Then it is erased.',
  empty: 'There is nothing in the trash.',
  when: 'deleted {{when}}',
  back: 'Bring back',
  erase: 'Erase now',
  eraseTitle: 'Erase {{name}}?',
  eraseText: 'It is then gone for ever, with all that belongs to it.',
  isBack: '{{name}} is back.',
  isErased: '{{name}} is erased.',
  kind: {
    profile: 'Person or pet',
    medication: 'Medicine',
    appointment: 'Visit',
    health_stat: 'Measurement',
  },
};
