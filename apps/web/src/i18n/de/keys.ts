/** Das Ersetzen aller Schlüssel. */
export const keys = {
  title: 'Alle Schlüssel ersetzen',
  why: 'Das hilft nach einem Diebstahl. Wer ein entsperrtes Gerät von Ihnen hatte, oder Ihr Passwort oder Ihre Wörter, kann Ihre Schlüssel kopiert haben. Ein neues Passwort allein lässt diese Schlüssel, wie sie sind.',
  does: 'Was geschieht',
  all: 'Es entstehen neue Schlüssel, und alle Ihre Einträge werden damit versiegelt. Die alten Schlüssel öffnen dann nichts Neues mehr.',
  secrets: 'Sie wählen ein neues Passwort und bekommen zwölf neue Wörter. Die alten gelten nicht mehr.',
  devices:
    'Jedes andere Gerät wird abgemeldet. Änderungen, die dort warten, werden nach der nächsten Anmeldung gesendet.',
  past: 'Was jemand schon kopiert hat, kann er weiter lesen. Das lässt sich nicht zurücknehmen.',
  question: 'Wurde ein entsperrtes Gerät gestohlen, oder war eines in fremden Händen?',
  no: 'Nein. Jemand kennt vielleicht das Passwort oder die Wörter.',
  yes: 'Ja. Dann enden auch die Passkeys und die App des zweiten Schritts.',
  next: 'Neues Passwort',
  go: 'Alle Schlüssel ersetzen',
  busy: 'Neue Schlüssel entstehen. Das dauert einige Sekunden …',
  done: 'Alle Schlüssel sind ersetzt',
  doneText:
    'Vernichten Sie das alte Blatt mit den Wörtern. Auf jedem Gerät brauchen Sie jetzt das neue Passwort.',
  left_one: 'Noch mit den neuen Schlüsseln zu versiegeln: ein Eintrag. Sie können die Seite weiter benutzen.',
  left_other:
    'Noch mit den neuen Schlüsseln zu versiegeln: {{count}} Einträge. Sie können die Seite weiter benutzen.',
  sealed: 'Alle Einträge sind mit den neuen Schlüsseln versiegelt.',
  waits: 'Der Rest wird versiegelt, sobald es ein Netz gibt. Jedes Ihrer Geräte kann das tun.',
  renew: '{{name}} wieder entsperren lassen',
  renewed: '{{name}} entsperrt wieder.',
  notRenewed: '{{name}} meldet nur an: Hier kann dieser Passkey nicht entsperren.',
  add: 'Die Passkeys sind beendet. Unter Sicherheit können Sie neue hinzufügen.',
};
