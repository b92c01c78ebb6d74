/** Geteilte Akten. */
export const people = {
  title: 'Geteilt mit',
  share: 'Diese Akte teilen …',
  open: 'Geteilt mit …',
  seen: {
    title: 'Wer welche Akte sieht',
    alone: 'Nur in Ihrem Konto',
    withWhom: 'Geteilt mit {{names}}',
    nobody: 'Noch mit niemandem geteilt',
  },
  relationHint: 'Das sehen nur Sie. Alle Mitglieder sagen es für sich.',
  relationNone: 'Noch nicht gesagt',
  role: {
    viewer: 'darf ansehen',
    carer: 'darf Dosen und Messwerte eintragen',
    editor: 'darf ändern',
    owner: 'teilt die Sorge',
  },
  roleOf: {
    viewer: 'Sie dürfen ansehen.',
    carer: 'Sie dürfen Dosen und Messwerte eintragen.',
    editor: 'Sie dürfen ändern.',
    owner: 'Sie teilen die Sorge.',
  },
  roleText: {
    viewer: 'Sieht alles und ändert nichts.',
    carer: 'Sieht alles und trägt Dosen und Messwerte ein. Ändert nur, was sie oder er eingetragen hat.',
    editor: 'Sieht und ändert alles: Medikamente, Termine und was über die Person bekannt ist.',
    owner: 'Wie Sie: lässt auch andere herein und entfernt sie. Nur sie oder er selbst kann gehen.',
  },
  begin: {
    text: 'Sie führen diese Akte zusammen mit anderen, jeder mit einem eigenen Konto: mit einem Partner, einer Pflegekraft, einem Kind, das groß wird.',
    moves: 'Die Akte zieht mit allem um, was darin ist, und wird nicht wieder Ihre alleinige.',
    devices:
      'Laden Sie zuerst die Seite auf allen Ihren Geräten neu. Eine ältere Seite würde die Akte als gelöscht zeigen.',
    ownName: 'Ihr Name',
    ownNameHint: 'Die anderen lesen ihn unter dem, was Sie schreiben. Der Dienst kann es nicht.',
    go: 'Akte teilen',
  },
  you: 'Sie',
  youAre: '{{name}} (Sie)',
  noName: 'Ohne Namen',
  paired: 'durch eine Einladung oder verglichene Zahlen bekannt',
  introduced: 'von einem anderen Mitglied hereingelassen',
  new_keys: 'hat neue Schlüssel, die nicht verglichen sind',
  gone: 'hat kein Konto mehr',
  since: 'seit {{when}}',
  detailsOf: 'Details: {{name}}',
  details: 'Details',
  changeRole: 'Was darf {{name}}?',
  ownRole: 'Was dürfen Sie?',
  lowerOther:
    '{{name}} behält, was {{name}} gesehen hat. Von jetzt an schreiben die anderen mit einem neuen Schlüssel, und {{name}} darf weniger.',
  lowerSelf: 'Zurückgeben kann es Ihnen nur jemand, der die Sorge teilt.',
  raiseOwner: '{{name}} kann dann andere hereinlassen, und niemand kann {{name}} entfernen.',
  setRole: 'Ändern, was {{name}} darf',
  setOwnRole: 'Ändern, was ich darf',
  remove: '{{name}} entfernen',
  removeText: '{{name}} behält, was {{name}} gesehen hat; von jetzt an nichts Neues.',
  removed: '{{name}} ist entfernt. Es entsteht ein neuer Schlüssel.',
  ownersStay: 'Niemand kann jemanden entfernen, der die Sorge teilt. Sie oder er kann aber gehen.',
  leave: 'Diese Akte verlassen',
  leaveText:
    'Sie sehen von {{name}} nichts mehr, auf keinem Ihrer Geräte. Was hier nur auf das Senden wartet, geht verloren. Zurück kommen Sie nur, wenn ein Mitglied Sie hereinlässt.',
  left: 'Sie haben die Akte verlassen.',
  leaveAlone:
    'Nur Sie haben die Sorge. Bevor Sie gehen, teilen Sie sie mit einem anderen Mitglied, oder löschen Sie die Akte.',
  keeper: 'Sie zählt zu den Akten Ihres Kontos.',
  notKeeper: 'Sie zählt zu den Akten eines anderen Kontos.',
  becomeKeeper: 'In meinem Konto zählen lassen',
  newKey: 'Neuen Schlüssel machen',
  newKeyText:
    'Das hilft, wenn jemand den Schlüssel kopiert haben kann, zum Beispiel von einem verlorenen Telefon. Alle Einträge werden neu versiegelt. Was vorher kopiert wurde, bleibt lesbar.',
  newKeyDone: 'Es gibt einen neuen Schlüssel.',
  due: 'Jemand ist gegangen und kennt den Schlüssel noch.',
  dueOther:
    'Jemand ist gegangen und kennt den Schlüssel noch. Ein Gerät von jemandem, der die Sorge teilt, macht einen neuen.',
  resealing_one:
    'Noch mit dem neuen Schlüssel zu versiegeln: ein Eintrag. Sie können die Seite weiter benutzen.',
  resealing_other:
    'Noch mit dem neuen Schlüssel zu versiegeln: {{count}} Einträge. Sie können die Seite weiter benutzen.',
  code: 'Sehen alle dieselben Mitglieder?',
  codeText:
    'Diese Zahl steht für die Liste oben. Lesen Sie sie einem anderen Mitglied vor, am Telefon oder nebeneinander: Dort muss dieselbe stehen. Ist sie anders, zeigt der Dienst dort andere Mitglieder als hier.',
  compare: {
    title: 'Zahlen vergleichen',
    text: 'Rufen Sie {{name}} an, oder treffen Sie sich. {{name}} findet diese Zahlen unter „Geteilt mit“ bei Ihrem Namen. Sind sie gleich?',
    agree: 'Sie stimmen überein',
    differ: 'Sie sind verschieden',
    differText:
      'Dann steht vielleicht jemand zwischen Ihnen. Nichts wurde geändert. Teilen Sie nichts Neues, bis Sie mehr wissen.',
    done: 'Gemerkt: Das sind die Schlüssel von {{name}}.',
  },
  invite: {
    title: 'Jemanden einladen',
    what: 'Was darf sie oder er?',
    sees: {
      viewer:
        'Wen Sie hereinlassen, sieht die ganze Akte von {{name}}, Altes und Neues, bis Sie sie oder ihn entfernen; was gesehen ist, können Sie nicht zurücknehmen.',
      carer:
        'Wen Sie hereinlassen, sieht die ganze Akte von {{name}}, Altes und Neues, und trägt Dosen und Messwerte ein, bis Sie sie oder ihn entfernen; was gesehen ist, können Sie nicht zurücknehmen.',
      editor:
        'Wen Sie hereinlassen, sieht und ändert die ganze Akte von {{name}}, Altes und Neues, bis Sie sie oder ihn entfernen; was gesehen ist, können Sie nicht zurücknehmen.',
      owner:
        'Wen Sie hereinlassen, sieht, ändert und teilt die ganze Akte von {{name}}, Altes und Neues, bis sie oder er geht; Sie können sie oder ihn nicht entfernen und nicht zurücknehmen, was gesehen ist.',
    },
    then: 'Niemand sieht etwas, bevor Sie sie hereinlassen. Die Einladung gilt sieben Tage. Der Dienst erfährt, welche Konten eine Akte in welcher Rolle teilen, und keinen Namen.',
    go: 'Einladung machen',
    away: 'Stattdessen einen Link senden',
    scan: 'Die Kamera des anderen Telefons öffnet ihn. Er gilt für eine Person, einmal.',
    qr: 'QR-Code der Einladung',
    link: 'Link',
    linkText:
      'Senden Sie ihn einer Person, und so, dass nur sie ihn liest. Er gilt sieben Tage, einmal, und wird nur jetzt gezeigt.',
    copy: 'Link kopieren',
    copied: 'Der Link ist kopiert.',
    send: 'Senden …',
    waiting: 'Wartet, bis die Person angenommen hat …',
    mayClose: 'Sie können das schließen. Die Seite sagt Ihnen, wenn die Person angenommen hat.',
    joined: '{{name}} ist dabei.',
    notRight: 'Nicht die richtige Person?',
    done: 'Fertig',
  },
  waiting: {
    title: 'Offene Einladungen',
    open: 'Offen bis {{when}}',
    withdraw: 'Zurückziehen',
    withdrawOf: 'Einladung zurückziehen: {{role}}, {{when}}',
    accepted: '{{name}} hat um {{when}} angenommen. {{name}} hereinlassen?',
    compare: '{{name}} sieht dieselben Zahlen. Ein Anruf zeigt, ob wirklich {{name}} den Link hat.',
    compareOwner:
      'Bevor jemand die Sorge teilt, vergleichen Sie diese Zahlen, bei einem Anruf oder nebeneinander.',
    agree: 'Die Zahlen stimmen überein',
    letIn: '{{name}} hereinlassen',
    notIn: 'Nicht hereinlassen',
    refused:
      'Diese Annahme lässt sich nicht bestätigen. Ziehen Sie die Einladung zurück und machen Sie eine neue.',
  },
  hand: {
    title: 'Übergeben',
    text: 'Für ein Kind, das groß wird, oder wenn jemand anderes übernimmt. Nichts wird kopiert.',
    whom: 'Wem?',
    then: 'Und Sie?',
    thenRole: {
      leave: 'gehen',
      viewer: 'dürfen ansehen',
      carer: 'dürfen Dosen und Messwerte eintragen',
      editor: 'dürfen ändern',
    },
    steps: 'Diese Schritte folgen aufeinander:',
    stepRaise: '{{name}} teilt die Sorge.',
    stepLower: 'Sie dürfen weniger: Sie {{role}}.',
    stepLeave: 'Sie gehen. Von der Akte sehen Sie nichts mehr.',
    stepKeep:
      'Das Gerät von {{name}} macht von selbst einen neuen Schlüssel. Unter „Geteilt mit“ lässt {{name}} die Akte im eigenen Konto zählen.',
    others: 'Andere, die die Sorge teilen, bleiben. Sie übergeben selbst.',
    compareFirst:
      'Sie haben mit {{name}} keine Zahlen verglichen. Tun Sie es zuerst: Von da an entscheidet {{name}}.',
    go: 'An {{name}} übergeben',
    done: 'An {{name}} übergeben.',
    nobody: 'Laden Sie die Person zuerst ein.',
    half: '{{name}} teilt die Sorge schon. Der Rest hat nicht geklappt:',
  },
  end: {
    title: 'Akte für alle löschen',
    text: 'Die Akte von {{name}} wird für alle Mitglieder gelöscht, sofort und für immer. Der Papierkorb hat sie nicht.',
    go: 'Für alle löschen',
    coOwned:
      'Andere teilen die Sorge. Solange sie es tun, kann niemand die Akte für alle löschen; Sie können gehen.',
    export: 'Zuerst exportieren',
  },
  block: {
    lead: 'Für {{name}} lässt sich zurzeit nichts eintragen. Was Sie hier sehen, bleibt.',
    rule: 'Regel {{rule}}: {{text}}',
    roster_refused:
      'Eine Änderung der Mitglieder bricht eine Regel. Jemand hat sie falsch geschrieben, oder der Dienst.',
    rules: {
      0: 'Der Dienst nennt jemanden, den niemand hereingelassen hat, oder eine andere Rolle oder einen anderen Schlüssel als vereinbart.',
      1: 'Die Liste der Mitglieder muss auf die vorige folgen und jeden einmal nennen, darunter jemanden, der die Sorge teilt.',
      2: 'Ein Mitglied muss sie unterschrieben haben, mit den bekannten Schlüsseln.',
      3: 'Ein neuer Schlüssel muss auf den vorigen folgen, und von jemandem kommen, der die Sorge teilt.',
      4: 'Wer die Sorge nicht teilt, darf nur den eigenen Eintrag ändern.',
      5: 'Niemand darf jemanden entfernen oder herabsetzen, der die Sorge teilt; und wer geht, macht keinen Schlüssel.',
      6: 'Seine Schlüssel darf nur ein Mitglied selbst ändern.',
    },
    refusedDo:
      'Rufen Sie die anderen Mitglieder an und vergleichen Sie die Zahl unter „Sehen alle dieselben Mitglieder?“. Ist sie verschieden, fragen Sie, wer den Dienst betreibt.',
    roster_rolled_back:
      'Der Dienst zeigt eine ältere Liste der Mitglieder, als bekannt war. Er wurde aus einer Sicherung wiederhergestellt, oder hält Änderungen zurück.',
    rolledDo: 'Zuerst gibt jemand, der die Sorge teilt, dem Dienst zurück, was ihm fehlt, dann alle anderen.',
    roster_withheld:
      'Die Mitglieder haben sich geändert, und der Dienst zeigt die neue Liste nicht. Daher ist nicht bekannt, wer liest, was jetzt geschrieben wird.',
    withheldDo: 'Versuchen Sie es später noch einmal. Bleibt es so, fragen Sie, wer den Dienst betreibt.',
    setRight: 'Wieder richtigstellen',
    setRightDone: 'Der Dienst hat wieder die neueste Liste.',
    key_missing: 'Den neuesten Schlüssel haben Sie noch nicht.',
    keyDo:
      'Er kommt, sobald ein Gerät von jemandem online ist, der die Sorge teilt. Bitten Sie darum, die Seite zu öffnen.',
    new_keys: '{{who}} hat neue Schlüssel. Vergleichen Sie die Zahlen, um weiterzumachen.',
    tampered: 'Der Schlüssel, der für Sie kam, öffnet die Akte nicht. Jemand hat einen falschen geschickt.',
    tamperedDo: 'Machen Sie einen neuen Schlüssel. Was dieses Gerät hat, wird dann damit versiegelt.',
    tamperedAsk: 'Rufen Sie jemanden an, der die Sorge teilt: Ein neuer Schlüssel hilft.',
  },
  copyText: 'Text kopieren',
  copiedText: 'Der Text ist kopiert.',
  news: {
    accepted: '{{name}}: Jemand hat eine Einladung angenommen.',
    letIn: 'Ansehen und hereinlassen',
    joiningNoName: 'Sie haben eine Einladung angenommen. Das andere Gerät muss sie bestätigen.',
    look: 'Ansehen',
    removed: 'Zur Akte von {{name}} haben Sie keinen Zugang mehr.',
    removedBy:
      'Zur Akte von {{name}} haben Sie keinen Zugang mehr. Nur {{who}} kann Sie entfernt haben: Fragen Sie nach, wenn Sie es nicht erwartet haben.',
    removedNoName:
      'Zu einer geteilten Akte haben Sie keinen Zugang mehr, oder Sie wurden nicht hereingelassen.',
    deleted: 'Die Akte von {{name}} wurde gelöscht, von denen, die die Sorge teilen.',
    deletedNoName: 'Eine geteilte Akte wurde gelöscht, von denen, die die Sorge teilen.',
    stays: 'Was dieses Gerät hat, lässt sich noch lesen und exportieren, bis Sie es entfernen.',
    export: 'Zuerst exportieren',
    forget: 'Von diesem Gerät entfernen',
    forgetText: 'Was dieses Gerät von der Akte hat, wird entfernt. Es kommt nicht zurück.',
    why: 'Was zu tun ist',
  },
  join: {
    title: 'Einladung',
    nothing: 'Hier ist keine Einladung',
    nothingText: 'Öffnen Sie den Link der Einladung noch einmal, auf diesem Gerät.',
    signedOut:
      'Jemand möchte mit Ihnen zusammen eine Akte führen. Sie ist verschlüsselt, deshalb brauchen Sie ein eigenes Konto.',
    stays: 'Die Einladung bleibt hier, während Sie ein Konto anlegen oder sich anmelden.',
    unlock: 'Entsperren, um anzunehmen',
    from: '{{who}} lädt Sie ein',
    forWhom: 'zur Akte von {{name}}',
    you: 'Sie',
    may: {
      viewer: 'Sie sehen alles in dieser Akte und ändern nichts.',
      carer:
        'Sie sehen alles in dieser Akte und tragen Dosen und Messwerte ein. Sie ändern nur, was Sie eingetragen haben.',
      editor: 'Sie sehen und ändern alles in dieser Akte.',
      owner: 'Sie teilen die Sorge: Sie sehen und ändern alles, lassen andere herein und entfernen sie.',
    },
    seen: 'Die anderen sehen Ihren Namen unter dem, was Sie schreiben. Der Dienst sieht, wer mit wem teilt, und keinen Namen.',
    until: 'Die Einladung gilt bis {{when}}.',
    accept: 'Annehmen',
    decline: 'Nicht annehmen',
    waits: 'Das Gerät von {{who}} bestätigt',
    waitsText:
      'Sobald {{who}} Sie hereingelassen hat, ist die Akte von {{name}} hier. Sie können diese Seite schließen.',
    numbers: '{{who}} sieht dieselben Zahlen. Vergleichen Sie sie, wenn {{who}} danach fragt.',
    waitsElsewhere: 'Es fehlt noch das Gerät der Person, die Sie eingeladen hat',
    numbersElsewhere: 'Die Zahlen zum Vergleichen stehen auf dem Gerät, auf dem Sie angenommen haben.',
    waitsElsewhereText:
      'Sobald Sie hereingelassen sind, ist die Akte hier. Sie können diese Seite schließen.',
    in: 'Sie sind dabei',
    inText: 'Die Akte von {{name}} ist hier.',
    gone: 'Diese Einladung gilt nicht: Sie wurde schon benutzt, ist abgelaufen oder wurde zurückgezogen. Bitten Sie um eine neue.',
    broken: 'Dieser Link ist nicht vollständig. Kopieren Sie ihn ganz, oder bitten Sie um einen neuen.',
  },
  error: {
    space_unknown: 'An dieser Akte haben Sie keinen Anteil mehr.',
    space_waits:
      'Der Schlüssel dieser Akte ist noch nicht hier. Versuchen Sie es wieder, wenn die anderen online sind.',
    already_shared: 'Diese Akte ist schon geteilt. Laden Sie die Seite neu.',
    change_obsolete:
      'Jemand anderes hat gerade die Mitglieder geändert, und dies hat keinen Sinn mehr. Sehen Sie noch einmal nach.',
    digits_not_compared: 'Vergleichen Sie zuerst die Zahlen.',
    keys_not_compared: 'Dieses Mitglied hat neue Schlüssel. Vergleichen Sie zuerst die Zahlen.',
    owner_protected: 'Niemand kann jemanden entfernen oder herabsetzen, der die Sorge teilt.',
    other_inviter: 'Diese Einladung hat jemand anderes gemacht, der die Sorge teilt, und lässt herein.',
    nobody_accepted: 'Diese Einladung hat noch niemand angenommen.',
    not_rolled_back: 'Es gibt nichts richtigzustellen.',
    space_not_supported: 'Das geht in einer geteilten Akte nicht.',
    space_profile: 'Eine geteilte Akte wird unter „Geteilt mit“ gelöscht.',
    spaces_exceeded: 'Sie teilen so viele Akten, wie ein Konto kann. Verlassen Sie zuerst eine.',
    members_exceeded:
      'Es gibt so viele Mitglieder und Einladungen, wie eine Akte haben kann. Ziehen Sie zuerst eine zurück, oder entfernen Sie jemanden.',
    profile_too_large: 'Diese Akte hat zu viele Einträge, um geteilt zu werden.',
    already_member: 'Sie sind in dieser Akte schon Mitglied.',
    invitation_taken: 'Jemand anderes hat diese Einladung schon angenommen. Bitten Sie um eine neue.',
    sole_owner:
      'Nur Sie haben die Sorge für eine Akte, die andere sehen. Teilen Sie sie zuerst mit jemand anderem.',
    co_owned:
      'Andere teilen die Sorge für diese Akte. Löschen können Sie sie erst, wenn nur noch Sie die Sorge haben.',
    roster_refused:
      'Eine Änderung der Mitglieder bricht eine Regel. Nichts wurde versiegelt. Sehen Sie unter „Geteilt mit“ nach.',
    service_outdated:
      'Der Dienst wird gerade erneuert und kennt geteilte Akten noch nicht. Nichts geht verloren: Versuchen Sie es in ein paar Minuten noch einmal.',
    roster_withheld:
      'Der Dienst zeigt die neueste Liste der Mitglieder nicht. Sehen Sie unter „Geteilt mit“ nach.',
    roster_rolled_back:
      'Der Dienst zeigt eine ältere Liste der Mitglieder, als bekannt war. Sehen Sie unter „Geteilt mit“ nach.',
  },
  erase: {
    lead: 'Nur Sie haben die Sorge für diese Akten, und andere sehen sie:',
    makeOwner: 'Die Sorge mit {{name}} teilen',
    made: '{{name}} teilt jetzt die Sorge für die Akte von {{record}}.',
    all: 'Diese Akten auch für alle löschen',
    allText: 'Die anderen verlieren diese Akten dann für immer, zusammen mit Ihrem Konto.',
  },
};
