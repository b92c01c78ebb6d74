/**
 * Substances of which one wrong dose does harm: insulins, anticoagulants, opioids and methotrexate, by the stems of their
 * names. Source: WHO, "Stem book" (2018), for -parin, -xaban, -gatran, -fentanil and -orphine; the ISMP list of high-alert
 * medications in community settings (2021) for the groups.
 */
const CAREFUL = new RegExp(
  [
    ...[
      'insulin',
      'methotrexat',
      'metotrexat',
      'warfarin',
      'coumon',
      'coumarol',
      'cumarol',
      'fluindion',
      'phenindion',
    ],
    ...[
      'parin',
      'fondaparinux',
      'xaban',
      'gatran',
      'morphin',
      'morphon',
      'morfin',
      'codein',
      'codon',
      'fentan',
    ],
    ...[
      'tramadol',
      'tapentadol',
      'tilidin',
      'orphin',
      'methadon',
      'metadon',
      'pethidin',
      'petidin',
      'meperidin',
    ],
    ...['piritramid', 'pentazocin', 'nalbuphin', 'butorphanol', 'levorphanol', 'opium'],
  ].join('|'),
  'i',
);

/** Whether a dose is asked about before it is logged. @param names of the medicine and of its substances */
export const isCareful = (names: readonly string[]): boolean =>
  names.some((name) => CAREFUL.test(name.replace(/apomorphine?/gi, '')));
