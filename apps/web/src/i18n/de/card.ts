export const card = {
  title: 'Notfallkarte',
  intro:
    'Was Helfende wissen müssen, in Ihrer Sprache und auf Englisch: für die Geldbörse oder als Bild auf dem Telefon.',
  open: 'Ausdruck und Bild sind nicht verschlüsselt: Wer sie hat, kann sie lesen. Dafür sind sie da.',
  picture: 'Als Bild speichern',
  change: 'Inhalt ändern',
  heading: 'NOTFALLKARTE',
  made: 'Von der Familie geschrieben, {{when}}',
  unknown: 'nichts eingetragen',
  part: {
    allergies: 'Allergien',
    conditions: 'Krankheiten',
    medicines: 'Medikamente',
    bloodGroup: 'Blutgruppe',
    contacts: 'Anrufen',
    doctor: 'Ärztin oder Arzt',
  },
  fieldsHint: 'Allergien, Krankheiten und Medikamente kommen aus dem, was schon eingetragen ist.',
  contactsLabel: 'Wen anrufen, je eine Zeile: Name und Telefon',
  doctorLabel: 'Ärztin oder Arzt: Name und Telefon',
};

export const find = {
  title: 'Suche',
  label: 'Alles durchsuchen',
  hint: 'Medikamente, Wirkstoffe, Termine, Messwerte, Notizen, Personen. Nur auf diesem Gerät.',
  count_one: 'Ein Treffer',
  count_other: '{{count}} Treffer',
  more: 'Die ersten {{shown}} von {{count}} Treffern',
  kind: {
    person: 'Person oder Tier',
    medicine: 'Medikament',
    visit: 'Termin',
    vaccination: 'Impfung',
    reading: 'Messwert',
  },
};

export const trash = {
  title: 'Papierkorb',
  text: 'Was Sie löschen, bleibt {{days}} Tage hier, auf allen Ihren Geräten, verschlüsselt wie vorher. Dann wird es endgültig gelöscht.',
  empty: 'Der Papierkorb ist leer.',
  when: 'gelöscht {{when}}',
  back: 'Zurückholen',
  erase: 'Endgültig löschen',
  eraseTitle: '{{name}} endgültig löschen?',
  eraseText: 'Es ist dann für immer weg, mit allem, was dazugehört.',
  isBack: '{{name}} ist zurück.',
  isErased: '{{name}} ist endgültig gelöscht.',
  kind: {
    profile: 'Person oder Tier',
    medication: 'Medikament',
    appointment: 'Termin',
    health_stat: 'Messwert',
  },
};
