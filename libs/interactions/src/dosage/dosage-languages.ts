const FORMS = new Set(
  'tablet tablets capsule capsules puff puffs sachet sachets patch patches vial vials suppository suppositories drops'.split(' '),
); // prettier-ignore

/** The English words that the reader of dosages knows, and the folded words of other languages that mean the same. */
const WORDS = lexicon({
  day: 'tag jour dia giorno j',
  days: 'tage tagen jours dias giorni',
  daily:
    'taglich taeglich taglicher tgl tagl diario diaria diarios diarias diariamente quotidien quotidienne quotidiennement giornaliero giornaliera giornalmente',
  week: 'woche semaine semana settimana sem sett wk w',
  weeks: 'wochen semaines semanas settimane wks',
  weekly: 'wochentlich woechentlich semanal semanalmente hebdomadaire hebdo settimanale settimanalmente',
  month: 'monat mes mois mese',
  months: 'monate monaten meses mesi',
  monthly: 'monatlich mensual mensualmente mensal mensuel mensuellement mensile mensilmente',
  year: 'jahr ano anno annee',
  years: 'jahre jahren anos anni ans annees',
  yearly: 'jahrlich jaehrlich anual anualmente annuel annuellement annually annual annuale',
  hour: 'stunde hora heure ora',
  hours: 'stunden std stdn horas heures ore',
  hourly: 'stundlich stuendlich hrly',
  times: 'mal fois veces vez vezes volte volta',
  every: 'alle jede jeder jeden jedes jedem cada ogni chaque toutes tous ttes tts',
  and: 'und y et e ed',
  not: 'nicht pas non',
  except: 'ausser salvo excepto sauf tranne eccetto exceto',
  maximum: 'hochstens hoechstens maximo maxima massimo',
  morning: 'morgen morgens fruh frueh matin manana mattina mattino manha mane om qam',
  noon: 'mittag mittags midi mediodia mezzogiorno almuerzo dejeuner pranzo mittagessen comida almoco',
  evening: 'abend abends soir tarde sera qpm cena diner abendessen abendbrot jantar',
  night: 'nacht nachts noche nuit notte noite nocte nightly',
  bedtime: 'schlafengehen schlafen acostarse dormir coucher coricarsi hs qhs',
  breakfast: 'fruhstuck desayuno colazione',
  half: 'halbe halben medio media demi demie mezza mezzo meia meio',
  tablet:
    'tablette comprime comprimido compressa tableta pastilla pille tabl tbl cp cpr comp dragee filmtablette cachet',
  tablets:
    'tabletten comprimes comprimidos compresse tabletas pastillas pillen tbln cps cprs dragees filmtabletten cachets',
  capsule: 'kapsel gelule capsula kps',
  capsules: 'kapseln gelules capsulas kpsn',
  puff: 'hub bouffee inhalacion inhalation',
  puffs: 'hube hub bouffees inhalaciones inhalations inhalationen',
  sachet: 'beutel sobre bustina',
  sachets: 'sobres bustine',
  patch: 'pflaster parche cerotto',
  patches: 'parches cerotti',
  vial: 'ampulle ampoule ampolla',
  vials: 'ampullen ampoules ampollas',
  drops: 'tropfen gouttes gotas gocce',
  monday: 'montag montags lunes lundi lundis lunedi',
  tuesday: 'dienstag dienstags martes mardi mardis martedi',
  wednesday: 'mittwoch mittwochs miercoles mercredi mercredis mercoledi',
  thursday: 'donnerstag donnerstags jueves jeudi jeudis giovedi',
  friday: 'freitag freitags viernes vendredi vendredis venerdi',
  saturday: 'samstag samstags sonnabend sonnabends sabado sabados samedi samedis sabato',
  sunday: 'sonntag sonntags domingo domingos dimanche dimanches domenica',
});

/** Number words are read only before a word that can be counted: "Tres Orix" is a brand. */
const COUNTS = lexicon({
  1: 'ein eine einen einer un una une uno um uma',
  2: 'zwei dos deux due dois duas',
  3: 'drei tres trois tre',
  4: 'vier cuatro quatre quattro quatro',
  5: 'funf fuenf cinco cinq cinque',
  6: 'sechs seis six sei',
  7: 'sieben siete sept sette',
  8: 'acht ocho huit otto oito',
  10: 'zehn diez dix dieci',
  12: 'zwolf zwoelf doce douze dodici doze',
  14: 'fourteen vierzehn catorce quatorze quattordici',
  15: 'fifteen funfzehn quince quinze quindici',
  24: 'vierundzwanzig veinticuatro',
  28: 'achtundzwanzig veintiocho',
  30: 'thirty dreissig treinta trente trenta',
});
const COUNTED = new Set([
  ...'half day days week weeks month months year years hour hours times'.split(' '),
  ...FORMS,
]);

const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const GERMAN_DAYS: Readonly<Record<string, string>> = {
  mo: 'monday', di: 'tuesday', mi: 'wednesday', do: 'thursday', fr: 'friday', sa: 'saturday', so: 'sunday',
}; // prettier-ignore
const PORTUGUESE_DAYS: Readonly<Record<string, string>> = {
  segunda: 'monday', terca: 'tuesday', quarta: 'wednesday', quinta: 'thursday', sexta: 'friday',
}; // prettier-ignore
const ORDINALS: Readonly<Record<string, number>> = { second: 2, other: 2, third: 3, fourth: 4 };

/** Phrases that mean something else than their words one by one. */
const PHRASES: readonly [RegExp, string][] = [
  [/(\d) ?hs\b/g, '$1 hours'],
  [/(\d) ?- ?(?=(?:hourly|hrly|st(?:u|ue)ndlich)\b)/g, '$1 '],
  [/\bom de (\d+) ?(?:uur|u)\b/g, 'every $1 hours'],
  [/\bt(?:te|ou)s les (?=\d)/g, 'every '],
  [/\bde (\d+|\p{L}+) e[mn] \1 ?(?:h|horas|hours)\b/gu, 'every $1 hours'],
  [/(?<![\d.,/-])(\d{1,2}) ?[/-] ?\1 ?h(?:oras|ours)?\b/g, 'every $1 hours'],
  [/\b(?:por|pro|par|a la|all'?|je) ?(?:hora|stunde|heure|ora)\b/g, 'per hour'],
  [/\b(?:one|two|three|four|five|six|eight|ten|twelve|eine?|zwei|drei|vier|sechs|acht|una?|dos|tres|cuatro|seis|ocho) \((\d+)\)/g, '$1'],
  [/\b(?:(?:each|every|jede[rmn]?|cada|chaque|ogni) (?:main )?(?:meal|mahlzeit|comida|repas|pasto|refeicao)|(?:the |all |den |allen |las |los |les |i |ai |as )?(?:meals|mahlzeiten|comidas|repas|pasti|refeicoes))\b/g, 'eachmeal'],
  [/(?<=\b(?:mg|g|ml|mcg|tablets?|tabs?|capsules?|puffs?|units|iu) )am\b(?=\s*(?:,|;|&|and\b|$))/g, 'morning'],
  [/(?<=\b(?:mg|g|ml|mcg|tablets?|tabs?|capsules?|puffs?|units|iu) )pm\b(?=\s*(?:,|;|&|and\b|$))/g, 'evening'],
  [/\b(?:un|1) jour sur (?:deux|2)\b|\bdias? (?:si|sim),?\s?(?:y )?(?:dia|otro) (?:no|nao)\b|\bdias? alternos?\b|\bgiorni alterni\b/g, 'every 2 days'],
  [/\b(?:un|1) jour sur (?:trois|3)\b/g, 'every 3 days'],
  [/\b(?:une|1) semaine sur (?:deux|2)\b|\bquincenal(?:mente)?\b|\bfortnightly\b|\bevery fortnight\b|\b(?:14-?|vierzehn)t(?:a|ae)gig\b/g, 'every 2 weeks'],
  [/\bquarterly\b|\btrimestral(?:mente)?\b|\bvierteljahrlich\b|\btrimestriel(?:lement)?\b/g, 'every 3 months'],
  [/\bhalbjahrlich\b|\bsemestral(?:mente)?\b|\bsemestriel(?:lement)?\b/g, 'every 6 months'],
  [/\b(?:wochenenden?|(?:el |los )?fin(?:es)? de semana|week-?ends?|fine settimana)\b/g, 'saturday sunday'],
  [/\b(?:werktags|on weekdays|weekdays)\b/g, 'monday to friday'],
  [/\b(?:jede[nrs]?|alle|cada|chaque) (?:zweite|2\.?)[nrs]? (?=tag|woche|monat)/g, 'every 2 '],
  [/\bjede[nrs]? (?:dritte|3\.?)[nrs]? (?=tag|woche|monat)/g, 'every 3 '],
  [/\bjede[nrs]? (?:vierte|4\.?)[nrs]? (?=tag|woche|monat)/g, 'every 4 '],
  [/\b(?:todos los|tous les|todos os|tutti i|toutes les|todas las) (?=\p{L}|\d)/gu, 'every '],
  [/\b(?:anderthalb|eineinhalb|1 ?½)\b/g, '1.5'],
  [/\b(?:eine[n]?|une?|una?) (?=halbe|demi|media|mezz)/g, ''],
  [/\bc\/ ?(?=\d)/g, 'every '],
  [/\bpar an\b/g, 'per year'],
  [/\bqw\b/g, 'weekly'],
  [/\bt(?:a|ae)?gl\./g, 'daily '],
  [/\bein ?mal\b/g, '1 times'],
  [/\bzwei ?mal\b/g, '2 times'],
  [/\bdrei ?mal\b/g, '3 times'],
  [/\bvier ?mal\b/g, '4 times'],
  [/\bfunf ?mal\b/g, '5 times'],
  [/\bsechs ?mal\b/g, '6 times'],
  [/\bsieben ?mal\b/g, '7 times'],
  [/\bacht ?mal\b/g, '8 times'],
  [/\bzehn ?mal\b/g, '10 times'],
  [/\bi\.(?:e|u)\.?/g, 'iu'],
]; // prettier-ignore

const AFTERWARDS: readonly [RegExp, string][] = [
  [new RegExp(`(${WEEKDAY}) (?:bis|a|au|al|ate|hasta|thru) (${WEEKDAY})`, 'g'), '$1 to $2'],
  [/(\d) a (?=\d+ (?:hours|days|weeks|tablets?|capsules?|puffs?)\b)/g, '$1 to '],
  [/\bevery (day|week|month)s\b/g, 'every $1'],
  [/\b(?:not|never|no) (?:daily|every day|each day)\b/g, ' '],
  [/\b(?:once|1 times) (?=every (?:\d|other|second|third|two|three|four|six))/g, ''],
  [
    /\b(\d) days (?:(?:a|per|each|every|pro|die|in der|par|por|la|alla|al|\/) ?){1,2}(?=week)/g,
    '$1 times a ',
  ],
];

/**
 * Writes a folded dosage in the English words that the reader knows: German, Spanish, French, Italian and some Portuguese, and
 * English phrases that mean the same.
 */
export function toEnglish(folded: string): string {
  let text = countClockTimes(folded);
  for (const [pattern, phrase] of PHRASES) text = text.replace(pattern, phrase);
  text = text
    .replace(/\b(segunda|terca|quarta|quinta|sexta)s?-?feiras?\b/g, (_, day: string) => PORTUGUESE_DAYS[day])
    .replace(/\b(?!so do\b|do so\b)(?:mo|di|mi|do|fr|sa|so)\b(?:[\s.,/+-]+(?:(?:und|u|bis)[\s.]+)?(?:mo|di|mi|do|fr|sa|so)\b)+/g, (days) =>
      days.replace(/-|\bbis\b/g, ' to ').replace(/\b(?:mo|di|mi|do|fr|sa|so)\b/g, (day) => GERMAN_DAYS[day]),
    )
    .replace(/(?<![\d.,/+-])\d(?:\s?\+\s?\d){2,3}(?![\d.,/+]|\s*m?c?g\b)/g, (counts) => counts.replaceAll('+', '-'))
    .replace(/\p{L}+/gu, (word) => WORDS.get(word) ?? word)
    .replace(/\bevery (other|second|third|fourth) (?=day|week|month)/g, (_, nth: string) => `every ${ORDINALS[nth]} `)
    .replace(/(\p{L}+) (?=(\p{L}+))/gu, (whole, word: string, next: string) => (COUNTED.has(next) && COUNTS.has(word) ? `${COUNTS.get(word) ?? ''} ` : whole)); // prettier-ignore
  for (const [pattern, phrase] of AFTERWARDS) text = text.replace(pattern, phrase);
  return text;
}

/** "At 6am, 2pm and 10pm", "um 6, 14 und 22 Uhr", "a las 8, 14 y 20 h". */
const CLOCK = '\\d{1,2}(?:[:.h]\\d\\d)? ?(?:am|pm|uhr|horas?|heures?|hs?)?';
const CLOCK_TIMES = new RegExp(
  `\\b(?:at|um|gegen|a las|alle|as|a) ${CLOCK}(?:\\s*(?:,|;|/|\\bet\\b|\\band\\b|\\bund\\b|\\by\\b|\\be\\b)?\\s*${CLOCK})+(?![\\d.,]*\\s*(?:mg|g|mcg|ml|tab))`,
  'g',
);

/** A list of hours is a number of times a day, not of tablets. */
function countClockTimes(text: string): string {
  return text.replace(CLOCK_TIMES, (list) => {
    const hours = list.match(/\d{1,2}(?:[:.h]\d\d)?/g) ?? [];
    const isClock = /am\b|pm\b|uhr|horas?\b|heures?\b|\dh|\bhs?\b|^(?:um|a las) /.test(list);
    return isClock && hours.length > 1 && hours.every((hour) => parseInt(hour, 10) <= 24)
      ? `${hours.length} times daily`
      : list;
  });
}

function lexicon(entries: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(entries).flatMap(([english, words]) =>
      words.split(' ').map((word) => [word, english] as const),
    ),
  );
}
