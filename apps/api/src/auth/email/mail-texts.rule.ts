/** What happened to an account. */
export type NoticeKind =
  | 'new_device'
  | 'password_changed'
  | 'password_reset'
  | 'keys_rotated'
  | 'email_changed'
  | 'erasure_planned'
  | 'erasure_stopped'
  | 'erased';

interface MailText {
  subject: string;
  lines: string[];
}

export interface MailTexts {
  /** A link follows its last line. */
  confirm: MailText;
  notices: Record<NoticeKind, MailText>;
  /** Of every mail. */
  end: string;
}

const EN_LOOK =
  'Was it you? Then there is nothing to do. If not: sign in, look at Security, and change your password:';
const DE_LOOK =
  'Waren Sie das? Dann ist nichts zu tun. Wenn nicht: Melden Sie sich an, sehen Sie unter Sicherheit nach und ändern Sie Ihr Passwort:';
const ES_LOOK =
  '¿Ha sido usted? Entonces no hay nada que hacer. Si no: inicie sesión, mire en Seguridad y cambie su contraseña:';

/** In plain words, without names of people or of records: mail is readable on its way. */
export const MAIL_TEXTS: Record<'en' | 'de' | 'es', MailTexts> = {
  en: {
    confirm: {
      subject: 'Please confirm your address',
      lines: [
        'Somebody has opened an account for health records with this address.',
        'Was it you? Then open this link within a day, and confirm. If not, you need not do anything. If you want an account with this address yourself, open the link and free it.',
      ],
    },
    notices: {
      new_device: {
        subject: 'A new device has signed in',
        lines: ['A device that was not known before has signed in to your account.', EN_LOOK],
      },
      password_changed: {
        subject: 'Your password was changed',
        lines: ['The password of your account was changed. All other devices were signed out.', EN_LOOK],
      },
      password_reset: {
        subject: 'Your password was reset',
        lines: [
          'The password of your account was reset with the recovery phrase. All devices were signed out.',
          EN_LOOK,
        ],
      },
      keys_rotated: {
        subject: 'All keys of your account were replaced',
        lines: [
          'The keys, the password and the recovery phrase of your account were replaced. All devices were signed out.',
          EN_LOOK,
        ],
      },
      email_changed: {
        subject: 'Your account has another address now',
        lines: ['The address of your account was changed. This is the last mail to this one.', EN_LOOK],
      },
      erasure_planned: {
        subject: 'Your account will be erased',
        lines: [
          'Your account and all its records will be erased after the time that the operator has set.',
          'To keep them, sign in before:',
        ],
      },
      erasure_stopped: {
        subject: 'Your account will not be erased',
        lines: ['Somebody has signed in to your account. So it will not be erased.', EN_LOOK],
      },
      erased: {
        subject: 'Your account was erased',
        lines: ['Your account and all its records were erased. You can open a new one:'],
      },
    },
    end: 'This mail was sent by a program. Nobody reads an answer.',
  },
  de: {
    confirm: {
      subject: 'Bitte bestätigen Sie Ihre Adresse',
      lines: [
        'Jemand hat mit dieser Adresse ein Konto für Gesundheitsdaten eröffnet.',
        'Waren Sie das? Dann öffnen Sie diesen Link innerhalb eines Tages und bestätigen Sie. Wenn nicht, müssen Sie nichts tun. Möchten Sie selbst ein Konto mit dieser Adresse, öffnen Sie den Link und geben Sie sie frei.',
      ],
    },
    notices: {
      new_device: {
        subject: 'Ein neues Gerät hat sich angemeldet',
        lines: ['Ein bisher unbekanntes Gerät hat sich an Ihrem Konto angemeldet.', DE_LOOK],
      },
      password_changed: {
        subject: 'Ihr Passwort wurde geändert',
        lines: ['Das Passwort Ihres Kontos wurde geändert. Alle anderen Geräte wurden abgemeldet.', DE_LOOK],
      },
      password_reset: {
        subject: 'Ihr Passwort wurde neu gesetzt',
        lines: [
          'Das Passwort Ihres Kontos wurde mit den Wiederherstellungswörtern neu gesetzt. Alle Geräte wurden abgemeldet.',
          DE_LOOK,
        ],
      },
      keys_rotated: {
        subject: 'Alle Schlüssel Ihres Kontos wurden ersetzt',
        lines: [
          'Die Schlüssel, das Passwort und die Wiederherstellungswörter Ihres Kontos wurden ersetzt. Alle Geräte wurden abgemeldet.',
          DE_LOOK,
        ],
      },
      email_changed: {
        subject: 'Ihr Konto hat jetzt eine andere Adresse',
        lines: [
          'Die Adresse Ihres Kontos wurde geändert. Dies ist die letzte Mail an diese Adresse.',
          DE_LOOK,
        ],
      },
      erasure_planned: {
        subject: 'Ihr Konto wird gelöscht',
        lines: [
          'Ihr Konto und alle Daten darin werden nach der Frist gelöscht, die der Betreiber gesetzt hat.',
          'Um sie zu behalten, melden Sie sich vorher an:',
        ],
      },
      erasure_stopped: {
        subject: 'Ihr Konto wird nicht gelöscht',
        lines: ['Jemand hat sich an Ihrem Konto angemeldet. Deshalb wird es nicht gelöscht.', DE_LOOK],
      },
      erased: {
        subject: 'Ihr Konto wurde gelöscht',
        lines: ['Ihr Konto und alle Daten darin wurden gelöscht. Sie können ein neues eröffnen:'],
      },
    },
    end: 'Diese Mail hat ein Programm verschickt. Eine Antwort liest niemand.',
  },
  es: {
    confirm: {
      subject: 'Confirme su dirección',
      lines: [
        'Alguien ha abierto con esta dirección una cuenta para datos de salud.',
        '¿Ha sido usted? Entonces abra este enlace antes de un día y confirme. Si no, no tiene que hacer nada. Si quiere usted una cuenta con esta dirección, abra el enlace y libérela.',
      ],
    },
    notices: {
      new_device: {
        subject: 'Un dispositivo nuevo ha iniciado sesión',
        lines: ['Un dispositivo que no era conocido ha iniciado sesión en su cuenta.', ES_LOOK],
      },
      password_changed: {
        subject: 'Se ha cambiado su contraseña',
        lines: [
          'Se ha cambiado la contraseña de su cuenta. Se ha cerrado la sesión en los demás dispositivos.',
          ES_LOOK,
        ],
      },
      password_reset: {
        subject: 'Se ha restablecido su contraseña',
        lines: [
          'Se ha restablecido la contraseña de su cuenta con la frase de recuperación. Se ha cerrado la sesión en todos los dispositivos.',
          ES_LOOK,
        ],
      },
      keys_rotated: {
        subject: 'Se han sustituido todas las claves de su cuenta',
        lines: [
          'Se han sustituido las claves, la contraseña y la frase de recuperación de su cuenta. Se ha cerrado la sesión en todos los dispositivos.',
          ES_LOOK,
        ],
      },
      email_changed: {
        subject: 'Su cuenta tiene ahora otra dirección',
        lines: [
          'Se ha cambiado la dirección de su cuenta. Este es el último correo a esta dirección.',
          ES_LOOK,
        ],
      },
      erasure_planned: {
        subject: 'Su cuenta se borrará',
        lines: [
          'Su cuenta y todos sus datos se borrarán tras el plazo que ha fijado el operador.',
          'Para conservarlos, inicie sesión antes:',
        ],
      },
      erasure_stopped: {
        subject: 'Su cuenta no se borrará',
        lines: ['Alguien ha iniciado sesión en su cuenta. Por eso no se borrará.', ES_LOOK],
      },
      erased: {
        subject: 'Su cuenta se ha borrado',
        lines: ['Se han borrado su cuenta y todos sus datos. Puede abrir una nueva:'],
      },
    },
    end: 'Este correo lo ha enviado un programa. Nadie lee las respuestas.',
  },
};
