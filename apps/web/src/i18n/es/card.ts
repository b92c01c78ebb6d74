export const card = {
  title: 'Tarjeta de emergencia',
  intro:
    'Lo que debe saber quien ayuda, en su idioma y en inglés: para la cartera o como imagen en el teléfono.',
  open: 'La hoja impresa y la imagen no están cifradas: quien las tenga puede leerlas. Para eso están.',
  picture: 'Guardar como imagen',
  change: 'Cambiar lo que dice',
  heading: 'TARJETA DE EMERGENCIA',
  made: 'Escrita por la familia, {{when}}',
  unknown: 'nada anotado',
  part: {
    allergies: 'Alergias',
    conditions: 'Enfermedades',
    medicines: 'Medicamentos',
    bloodGroup: 'Grupo sanguíneo',
    contacts: 'Llamar a',
    doctor: 'Médico',
  },
  fieldsHint: 'Las alergias, las enfermedades y los medicamentos salen de lo que ya está anotado.',
  contactsLabel: 'A quién llamar, uno por línea: nombre y teléfono',
  doctorLabel: 'Médico: nombre y teléfono',
};

export const find = {
  title: 'Buscar',
  label: 'Buscar en todo',
  hint: 'Medicamentos, sustancias, visitas, mediciones, notas, personas. Solo en este dispositivo.',
  count_one: 'Un resultado',
  count_other: '{{count}} resultados',
  more: 'Los primeros {{shown}} de {{count}} resultados',
  kind: {
    person: 'Persona o mascota',
    medicine: 'Medicamento',
    visit: 'Visita',
    vaccination: 'Vacuna',
    reading: 'Medición',
  },
};

export const trash = {
  title: 'Papelera',
  text: 'Lo que borra queda aquí {{days}} días, en todos sus dispositivos, cifrado como antes. Después se elimina.',
  empty: 'La papelera está vacía.',
  when: 'borrado {{when}}',
  back: 'Recuperar',
  erase: 'Eliminar ahora',
  eraseTitle: '¿Eliminar {{name}}?',
  eraseText: 'Desaparece para siempre, con todo lo que le pertenece.',
  isBack: '{{name}} está de vuelta.',
  isErased: '{{name}} se ha eliminado.',
  kind: {
    profile: 'Persona o animal',
    medication: 'Medicamento',
    appointment: 'Cita',
    health_stat: 'Medida',
  },
};
