/**
 * Substances of which one wrong dose does harm: insulins, anticoagulants, opioids and methotrexate, by the stems of their
 * names. Source: WHO, "Stem book" (2018), for -parin, -xaban, -gatran, -fentanil and -orphine; the ISMP list of high-alert
 * medications in community settings (2021) for the groups. A test holds the stems against the classes of the knowledge base.
 */
const COUMARINS = 'warfarin|coumon|co?umarol|coumacetat|clomarol|indion';
const HEPARINS = 'parin(?!oid)|paroid|xaban|gatran|gatroban|irudin|antithrombin|drotrecogin';
const MORPHINES = '(?<!apom|p)or(?:ph|f)in|mor(?:ph|f)on|[ck]odein|codon|or(?:ph|f)anol|\\bopium|papaveret';
const FENTANYLS = 'fentan|peridin|peth?idin|piritramid|bezitramid|moramid|leridin|prodin|bemidon|liceridin';
const METHADONES = 'meth?adon|methadol|dipipanon|propox[yi](?:ph|f)en';
const OTHER_OPIOIDS = 'tramad|tapentadol|tilidin|[ae]zocin|nalbu(?:ph|f)in|meptazinol|kratom';
const CAREFUL = new RegExp(
  ['insulin|meth?otrexat', COUMARINS, HEPARINS, MORPHINES, FENTANYLS, METHADONES, OTHER_OPIOIDS].join('|'),
  'i',
);

/** Whether a dose is asked about before it is logged. @param names of the medicine and of its substances */
export const isCareful = (names: readonly string[]): boolean => names.some((name) => CAREFUL.test(name));
