import { SCRIPT_WORDS } from './script-words';
import type { LocalRoute } from '../types';

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean));

/** Words between the parts of a combination. */
export const SEPARATOR_WORDS = words('and with w und mit et avec y e con plus og och med en ja');

/**
 * Acids and esters that describe the salt of a drug, not the drug. They have this meaning only next to a
 * drug.
 */
export const SALT_WORDS = words(`
  hydrochloride hydrochlorid hcl chlorhydrate clorhidrato cloridrato dihydrochloride monohydrochloride hydrobromide hbr bromhydrate
  sulfate sulphate sulfat sulfato solfato bisulfate bisulphate hydrogensulfate phosphate phosphat fosfato diphosphate
  acetate acetat acetato diacetate maleate maleat maleato hydrogenmaleate fumarate fumarat fumarato hemifumarate hydrogenfumarate
  tartrate tartrat tartrato bitartrate hydrogentartrate succinate succinat succinato hydrogensuccinate mesylate mesilate mesilat mesilato
  besylate besilate besilat besilato tosylate tosilate camsylate esylate esilate edisylate edisilate napsylate isethionate isetionate
  citrate citrat citrato dihydrogencitrate gluconate gluconat lactate carbonate bicarbonate nitrate nitrat nitrato mononitrate
  oxalate oxalat pamoate embonate hyclate hyclat monohydrate monohydrat dihydrate trihydrate hemihydrate sesquihydrate tetrahydrate
  pentahydrate hydrate anhydrous wasserfrei hemihydrat dihydrat trihydrat tromethamine tromethamol trometamol tromethamin meglumine lysine
  lysinate arginine erbumine tert-butylamine butylamine olamine diethylamine diethylammonium epolamine hydroxyethylpyrrolidine piperazine
  propionate dipropionate valerate furoate acetonide hexacetonide pivalate decanoate enanthate enantate palmitate stearate
  cypionate cipionate undecanoate caproate hexanoate butyrate benzoate salicylate ethylsuccinate estolate lactobionate
  medoxomil proxetil axetil cilexetil pivoxil disoproxil alafenamide etexilate mofetil marboxil fosamil
  xinafoate hippurate mandelate orotate aspartate glycinate bisglycinate glycerophosphate pidolate ascorbate picolinate malate
  chloride chlorid bromide bromid iodide iodid oxide oxid hydroxide disodium dipotassium trisodium hydrogen polistirex
  besylat besilsaure aceponate teoclate theoclate adipate saccharate terephthalate xinafoat trifenatate methylsulfate metilsulfate methylbromide methonitrate
  succ tart mal fum sod pot bitart butylbromide natrium kalium kalzium sodique sodico sodica potassique potassico calcique calcico magnesique magnesico dimeglumine
`);

/**
 * Metals. Next to a drug they are a salt ("losartan potassium", "sodium valproate"), otherwise an ingredient.
 */
export const METAL_WORDS = words(
  'sodium potassium calcium magnesium zinc aluminium aluminum natrium kalium kalzium strontium lithium bismuth',
);

/** Strength units. */
const UNIT_WORDS = words(`
  mg mgs milligram milligrams milligramm milligrammes g gm gms gram grams gramm kg mcg mcgs ug microgram micrograms mikrogramm ng nanogram
  ml mls millilitre milliliter cc l litre liter dl iu ie ui units unit u miu mmol meq mol vol percent ppm hr hrs h cm billion million cfu
`);

/** Dose forms and packs that do not tell the route. */
const FORM_WORDS = words(`
  salts mixed boosted glass cup can pint serving portion solution soln sol susp tbl liquid drops drop tropfen gouttes gotas spray powder pulver granules granulat sachet sachets mouth
  pack packs packet box bottle vial vials ampoule ampoules ampule pen pens prefilled pre filled syringe kit device refill cartridge
  dose doses dosage strength form oily base basis preparation product brand generic original name
  solostar flexpen flextouch kwikpen penfill pumpsol autoinjector sureclick pushtouch innolet tempo mix
  collar collars spot-on spoton spot pour-on chew chews system sprinkle
  sprinkles intensol spansule spansules plastic container duplex multidose impulse liposome liposomal liposomes pegylated microsphere microspheres acudial
  effervescent dispersible soluble chewable chewables orodispersible orally disintegrating melt melts odt fast rapid express quick gummies gummy
  film coated filmcoated filmtabletten filmtablette comprime comprimes comprimidos compresse retard
  sugarfree flavour flavor flavoured flavored cherry orange strawberry mint lemon berry grape
`);

/** Release and strength labels. */
const RELEASE_WORDS = words(`
  er xr xl sr cr mr la pr ir dr ec xt cd sa lp cc ret depot retard retardtabletten prolonged extended sustained controlled modified
  delayed immediate release releasing action acting long short slow durules oros chrono chronosphere contin continus repetabs
  gastro resistant enteric low high regular normal standard maximum double single junior baby infant infants child
  children childrens paediatric pediatric adult adults kids forte mite mild strong
`);

/** Words of a dosing instruction, and words that people write around a name. */
const INSTRUCTION_WORDS = words(`
  take takes taken taking use used using apply once twice thrice three two one four five six half daily day days week weeks weekly month months
  monthly hourly hour hours every each per times time x a an the of in on at to as by for if my or when needed required necessary bid tid qid qd od bd
  td tds qds qam qpm qhs hs prn po q qod eod morning mornings evening evenings nightly noon midday lunch dinner breakfast bedtime before
  after meal meals food empty stomach water pain headache fever relief current currently old new medication medicine medicines
  drug tabs therapy treatment supplement supplements otc rx rp prescription human use dog dogs cat cats pet pets horse
  taglich pro tag morgens abends stuck
`);

/** Makers and shop brands that people write before or after a generic name. */
const MAKER_WORDS = words(`
  teva sandoz mylan viatris hexal ratiopharm ratio stada actavis accord zentiva aurobindo auro biogaran arrow eg krka aristo heumann dexcel tad
  cipla lupin zydus apotex apo pms novo glenmark torrent amneal hikma greenstone wockhardt macleods ajanta alembic unichem
  pharma pharmaceuticals pharmaceutical laboratories labs ltd inc gmbh sanofi-aventis bluefish basics abz puren
  almus kirkland equate cvs walgreens walmart rite aid boots tesco asda sainsburys superdrug lloyds galpharm numark leader sunmark goodsense
  ranbaxy medreich milpharm bristol-labs crescent qualitest barr watson par jamp sivem riva taro cinfa normon kern lannett
  winthrop cristers zydus ct al beta 1a
`);

/**
 * Pairs of words that have no meaning together, although a single word may have one: "Panadol Extra" and
 * "Tylenol PM" are products, "extra strength" and "at night" are not.
 */
const PHRASES = new Set([
  ...['extra', 'max', 'triple', 'ultra', 'super'].map((word) => `${word} strength`),
  ...['at', 'every', 'each', 'per', 'a', 'last'].map((word) => `${word} night`),
  ...['for', 'to'].map((word) => `${word} sleep`),
]);

/** True for two words that together never identify a drug. */
export function isNoisePhrase(first: string, second: string): boolean {
  return PHRASES.has(`${first} ${second}`);
}

/** Words of everyday language and of chemistry that are neither medicines nor misspellings of medicines. */
const EVERYDAY_WORDS = words(`
  sleep sleeping sleeper painkiller painkillers antibiotic antibiotics blood pressure thinner thinners heart allergy allergies cough
  stomach nausea sickness travel diabetes sugar cholesterol thyroid asthma depression anxiety seizure epilepsy contraceptive birth control
  hormone hormones steroid steroids laxative antacid antacids diuretic vaccine vaccination booster herbal natural traditional ayurvedic chinese mixture
  remedy remedies tonic tea coffee juice drink energy protein shake bread cheese sauce soup salad butter honey candy sweets
  bleach detergent cleaner cleaning paint petrol gasoline antifreeze coolant glycol ethylene methyl methanol propylene ethyl chloride acid
  stimulant sedative tranquilizer tranquilliser unknown other another something thing things white blue green yellow pink brown purple round small large
  beta ace inhibitor inhibitors blocker blockers statin statins anticoagulant antidepressant antihistamine antihistamines opioid opioids
  para hora nerven nuit toux cuore tos dolor fiebre jarabe husten hustensaft schmerz schmerzen fieber pildora abfuhrmittel blutverdunner
  antibabypille anticonceptivo antibiotico antibioticos anticoagulante anticoagulantes
  mother father husband wife friend doctor hospital pharmacy chemist called prescribed yesterday today tomorrow sometimes maybe
`);

/** True for a word that spelling correction must not change. */
export function isEverydayWord(word: string): boolean {
  return EVERYDAY_WORDS.has(word);
}

/** Words that remove the next name from a product. */
export const NEGATIONS = words('without ohne sans sin senza non no not');

/** True for a word that never identifies a drug. */
export function isNoise(word: string): boolean {
  return (
    UNIT_WORDS.has(word) ||
    FORM_WORDS.has(word) ||
    RELEASE_WORDS.has(word) ||
    INSTRUCTION_WORDS.has(word) ||
    MAKER_WORDS.has(word) ||
    ROUTE_OF_WORD.has(word) ||
    SYSTEMIC_WORDS.has(word) ||
    SCRIPT_WORDS.has(word)
  );
}

/** Places that have priority over any other word: "vaginal tablet", "inhalation capsule", "eye gel". */
const SITES: Record<Exclude<LocalRoute, 'topical'>, string> = {
  ophthalmic:
    'eye eyes ophthalmic ophthalmological ocular conjunctival intravitreal augentropfen augensalbe augen collyre eyedrops eyedrop oftalmico ophth opht',
  otic: 'ear ears otic aural eardrops eardrop ohrentropfen auriculaire',
  nasal: 'nasal nasally nose nostril intranasal nasenspray nasentropfen nasenspray nasale',
  inhaled: `inhaler inhalers inhaled inhalation inhalations inhale puff puffs puffer nebuliser nebulizer nebulised nebulized nebules nebule
    evohaler accuhaler diskus turbohaler turbuhaler respimat ellipta handihaler aerosphere breezhaler autohaler clickhaler easyhaler novolizer nexthaler
    aerolizer spiromax respiclick redihaler flexhaler twisthaler zonda genuair pressair hfa mdi dpi respules rotacaps dosieraerosol inhalator inhalateur`,
  vaginal: 'vaginal vaginally pessary pessaries ovule ovules intravaginal intrauterine ius iud coil',
  rectal: 'enema enemas haemorrhoid hemorrhoid haemorrhoidal hemorrhoidal klysma lavement',
  vesical: 'intravesical bladder',
  oromucosal: 'mouthwash gargle buccal-gel orabase throat lozenge lozenges troche troches pastille pastilles',
};

/** Forms for the skin. They are local unless a systemic word is next to them ("oral gel"). */
const SKIN_WORDS = `topical topically cream creams crm creme crema ointment ointments oint salbe unguentum pommade pomada gel gels emulgel lotion lotions foam
  shampoo paste balm liniment rub cutaneous skin scalp dermal nail lacquer wash`;

const ROUTE_OF_WORD: ReadonlyMap<string, LocalRoute> = new Map([
  ...Object.entries(SITES).flatMap(([route, list]) =>
    [...words(list)].map((word) => [word, route as LocalRoute] as const),
  ),
  ...[...words(SKIN_WORDS)].map((word) => [word, 'topical'] as const),
]);

/** Words that say the product reaches the whole body. */
const SYSTEMIC_WORDS = words(`
  tablet tablets tab tabs tablette tabletten tabl capsule capsules cap caps kapsel kapseln gelule gelules capsula capsulas caplet caplets
  gelcap gelcaps softgel softgels softgels pill pills oral orally peroral syrup suspension elixir sirup jarabe
  injection injections injectable injected inj infusion iv im sc subcut subcutaneous subcutaneously intravenous intramuscular parenteral
  suppository suppositories supp patch patches transdermal plaster pflaster sublingual buccal implant systemic
`);

/** The words of a name about the place where the product acts. */
export interface RouteHint {
  /** The local route, when the words name one. */
  local?: LocalRoute;
  /** True when the words say that the product reaches the whole body. */
  systemic: boolean;
}

/**
 * Reads the route from the words of a name. A named place has priority over a form; "oral" or "tablet" has
 * priority over a skin form.
 */
export function routeOf(tokens: readonly string[]): RouteHint {
  let skin = false;
  let systemic = false;
  for (const token of tokens) {
    const route = ROUTE_OF_WORD.get(token);
    if (route !== undefined && route !== 'topical') return { local: route, systemic: false };
    if (route === 'topical') skin = true;
    if (SYSTEMIC_WORDS.has(token)) systemic = true;
  }
  return skin && !systemic ? { local: 'topical', systemic: false } : { systemic };
}
