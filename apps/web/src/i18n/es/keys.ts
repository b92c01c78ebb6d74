/** La sustitución de todas las claves. */
export const keys = {
  title: 'Sustituir todas las claves',
  why: 'Esto ayuda después de un robo. Quien tuvo un dispositivo suyo desbloqueado, o su contraseña o sus palabras, puede haber copiado sus claves. Una contraseña nueva por sí sola deja esas claves como están.',
  does: 'Qué hace',
  all: 'Crea claves nuevas y sella con ellas todos sus datos. Las claves antiguas ya no abren nada nuevo.',
  secrets: 'Usted elige una contraseña nueva y recibe doce palabras nuevas. Las antiguas dejan de valer.',
  devices:
    'Se cierra la sesión en los demás dispositivos. Los cambios que esperan allí se envían al volver a iniciar sesión.',
  past: 'Lo que alguien ya ha copiado lo puede seguir leyendo. Eso no se puede deshacer.',
  question: '¿Le robaron un dispositivo desbloqueado, o estuvo en manos de otra persona?',
  no: 'No. Puede que alguien conozca la contraseña o las palabras.',
  yes: 'Sí. Terminan también las llaves de acceso y la aplicación del segundo paso.',
  next: 'Contraseña nueva',
  go: 'Sustituir todas las claves',
  busy: 'Creando claves nuevas. Tarda unos segundos …',
  done: 'Todas las claves están sustituidas',
  doneText:
    'Destruya la hoja antigua con las palabras. En cada dispositivo hace falta ahora la contraseña nueva.',
  left_one: 'Queda por sellar con las claves nuevas: un dato. Puede seguir usando la página.',
  left_other: 'Quedan por sellar con las claves nuevas: {{count}} datos. Puede seguir usando la página.',
  sealed: 'Todos los datos están sellados con las claves nuevas.',
  waits: 'Lo demás se sella en cuanto haya red. Lo hace cualquiera de sus dispositivos.',
  renew: 'Que {{name}} vuelva a desbloquear',
  renewed: '{{name}} vuelve a desbloquear.',
  notRenewed: '{{name}} solo inicia sesión: aquí no puede desbloquear.',
  add: 'Las llaves de acceso han terminado. Puede añadir otras en Seguridad.',
};
