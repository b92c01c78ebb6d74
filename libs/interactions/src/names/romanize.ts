/**
 * Writes a name of another script in Latin letters, roughly as drug names are written in that script: "парацетамол"
 * becomes "paratsetamol". One letter can have several values (Russian "г" is g or h), so there are several results.
 */

/** More readings than this of one name would not be compared. */
const MAX_READINGS = 16;

/** The Latin values of a letter, separated by "/". An empty value: the letter is not spoken. */
type Letters = ReadonlyMap<string, readonly string[]>;

function letters(table: string): Letters {
  return new Map(
    table
      .trim()
      .split(/\s+/)
      .map((pair) => {
        const [letter, values = ''] = pair.split('=');
        return [letter, values.split('/')];
      }),
  );
}

const CYRILLIC = letters(`
  а=a б=b в=v г=g/h ґ=g д=d ѓ=g ђ=d е=e є=e ж=z з=z и=i і=i ї=i й=i ј=i к=k ќ=k л=l љ=l м=m н=n њ=n о=o п=p р=r с=s т=t ћ=t
  у=u ў=v ф=f х=k/h ц=ts ч=ts џ=dz ш=s щ=s ъ= ы=i ь= э=e ю=iu я=ia ѕ=dz
`);

const GREEK = letters(`
  α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k ϰ=k/s λ=l μ=m ν=n ξ=ks ο=o π=p ρ=r σ=s ς=s τ=t υ=i/u φ=f χ=k/h ψ=ps ω=o
`);

const ARABIC = letters(`
  ا=a أ=a إ=i آ=a ى=a ب=b/p پ=p ت=t ة=a ث=th ج=g ح=h خ=k د=d ذ=d ر=r ز=z ژ=z س=s ش=s ص=s ض=d ط=t ظ=z ع= غ=g ف=f/v ڤ=v
  ق=k ک=k ك=k گ=g ل=l م=m ن=n ه= و=o/v ؤ=o ي=i ی=i ئ= ء=
`);

const HEBREW = letters(`
  א=a ב=b/v ג=g ד=d ה= ו=o/v ז=z ח=k/h ט=t י=i כ=k/h ך=k ל=l מ=m ם=m נ=n ן=n ס=s ע=a פ=p/f ף=f צ=s ץ=s ק=k ר=r ש=s ת=t
`);

const DEVANAGARI = letters(`
  अ=a आ=a इ=i ई=i उ=u ऊ=u ए=e ऐ=e ऑ=o ओ=o औ=o ऍ=e क=k ख=k ग=g घ=g ङ=n च=s छ=s ज=z/g झ=z ञ=n ट=t ठ=t ड=d ढ=d ण=n त=t थ=t द=d ध=d
  न=n प=p फ=f ब=b भ=b म=m य=i र=r ल=l ळ=l व=v श=s ष=s स=s ह= ा=a ि=i ी=i ु=u ू=u ृ=ri े=e ै=e ो=o ौ=o ॉ=o ॅ=e ं=n ँ=n ः= ्= ़=
`);

const THAI = letters(`
  ก=k ข=k ค=k ฆ=k ง=n จ=z ฉ=s ช=s ซ=s ฌ=s ญ=n ฎ=d ฏ=t ฐ=t ฑ=t ฒ=t ณ=n ด=d ต=t ถ=t ท=t ธ=t น=n บ=b ป=p ผ=p ฝ=f พ=p ฟ=f ภ=p
  ม=m ย= ร=r ล=l ว=/v ศ=s ษ=s ส=s ห= ฬ=l อ= ฮ= ะ=a ั=a า=a ำ=am ิ=i ี=i ึ=u ื=u ุ=u ู=u เ=e แ=e โ=o ใ=i ไ=i ็= ่= ้= ๊= ๋= ์=
`);

const KATAKANA = letters(`
  ア=a イ=i ウ=u エ=e オ=o ァ=a ィ=i ゥ=u ェ=e ォ=o カ=ka キ=ki ク=ku ケ=ke コ=ko ガ=ga ギ=gi グ=gu ゲ=ge ゴ=go
  サ=sa シ=si ス=su/tu セ=se ソ=so ザ=za ジ=di/zi ズ=zu ゼ=ze ゾ=zo タ=ta チ=ti ツ=tu テ=te ト=to ダ=da ヂ=di ヅ=du デ=de ド=do
  ナ=na ニ=ni ヌ=nu ネ=ne ノ=no ハ=ha ヒ=hi フ=fu ヘ=he ホ=ho/fo バ=ba/va ビ=bi/vi ブ=bu/vu ベ=be/ve ボ=bo/vo パ=pa ピ=pi プ=pu ペ=pe ポ=po
  マ=ma ミ=mi ム=mu メ=me モ=mo ヤ=ia ユ=iu ヨ=io ャ=a ュ=u ョ=o ラ=ra リ=ri ル=ru レ=re ロ=ro ワ=va ヲ=o ン=n ヴ=vu ッ= ー=
`);

const HANGUL = letters(`
  ᄀ=g ᄁ=k ᄂ=n ᄃ=d ᄄ=t ᄅ=r ᄆ=m ᄇ=b ᄈ=p ᄉ=s ᄊ=s ᄋ= ᄌ=z/g ᄍ=z ᄎ=s/t ᄏ=k ᄐ=t ᄑ=p/f ᄒ=h/f
  ᅡ=a ᅢ=e ᅣ=ia ᅤ=e ᅥ=e ᅦ=e ᅧ=ie ᅨ=e ᅩ=o ᅪ=va ᅫ=ve ᅬ=e ᅭ=io ᅮ=u ᅯ=vo ᅰ=ve ᅱ=vi ᅲ=iu ᅳ= ᅴ=i ᅵ=i
  ᆨ=k ᆫ=n ᆮ=t ᆯ=l ᆷ=m ᆸ=p ᆺ=t ᆻ=t ᆼ=n ᆽ=t ᆾ=t ᆿ=k ᇀ=t ᇁ=p ᇂ=
`);

interface Script {
  letters: Letters;
  /** Made before the letters are read. */
  prepare?: (name: string) => string;
}

const SCRIPTS: readonly (Script & { uses: RegExp })[] = [
  { uses: /\p{Script=Cyrillic}/u, letters: CYRILLIC },
  {
    uses: /\p{Script=Greek}/u,
    letters: GREEK,
    // Digraphs, and "κ" where Latin writes "c" before a light vowel.
    prepare: (name) =>
      name
        .replace(/κ(?=[ειηυ])/g, 'ϰ')
        .replace(/αι/g, 'e')
        .replace(/μπ/g, 'b')
        .replace(/ντ/g, 'nt')
        .replace(/γκ|γγ/g, 'g')
        .replace(/ου/g, 'u')
        .replace(/οι|ει/g, 'i'),
  },
  { uses: /\p{Script=Arabic}/u, letters: ARABIC },
  {
    uses: /\p{Script=Hebrew}/u,
    letters: HEBREW,
    prepare: (name) => name.replace(/וו/g, 'v').replace(/ז'/g, 'z'),
  },
  { uses: /\p{Script=Devanagari}/u, letters: DEVANAGARI, prepare: (name) => name.normalize('NFC') },
  // Some vowels are written before the consonant that they follow.
  { uses: /\p{Script=Thai}/u, letters: THAI, prepare: (name) => name.replace(/([เแโใไ])([ก-ฮ])/g, '$2$1') },
  {
    uses: /[\p{Script=Katakana}\p{Script=Hiragana}]/u,
    letters: KATAKANA,
    prepare: (name) =>
      name
        .normalize('NFC')
        .replace(/[ぁ-ゖ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0x60))
        // A small vowel replaces the vowel before it: "ティ" is ti, "ファ" is fa.
        .replace(/フ(?=[ァィェォ])/g, 'f')
        .replace(/ヴ(?=[ァィェォ])/g, 'v')
        .replace(/[テトチ](?=[ィュ])/g, 't')
        .replace(/[デド](?=[ィュ])/g, 'd')
        .replace(/シ(?=[ャュョェ])/g, 's')
        .replace(/ジ(?=[ャュョェ])/g, 'z')
        .replace(/キ(?=[ャュョ])/g, 'k')
        .replace(/リ(?=[ャュョ])/g, 'r'),
  },
  { uses: /\p{Script=Hangul}/u, letters: HANGUL, prepare: (name) => name.normalize('NFD') },
];

/** True when a folded name has a letter of a script that can be read by its sounds. */
export function isOtherScript(key: string): boolean {
  return !/^[ -~]*$/.test(key) && SCRIPTS.some(({ uses }) => uses.test(key));
}

/** The Latin readings of a name, at most 16. Empty for a script without a table, such as Chinese. */
export function romanize(key: string): string[] {
  const script = SCRIPTS.find(({ uses }) => uses.test(key));
  if (!script) return [];
  let readings = [''];
  for (const letter of script.prepare?.(key) ?? key) {
    const values = script.letters.get(letter) ?? (/[a-z]/.test(letter) ? [letter] : undefined);
    // A sign of another script, such as a Chinese one: the name is not read.
    if (!values) return [];
    const usable = readings.length * values.length > MAX_READINGS ? values.slice(0, 1) : values;
    readings = usable.flatMap((value) => readings.map((reading) => reading + value));
  }
  return readings;
}

/**
 * The consonants of a name by their kind, and whether it begins with a vowel. Names that sound alike have the same key: b, f,
 * p, v and w are one kind, d and t another, so that "vaporuparuphalin" and "warfarin" can be compared.
 */
export function soundKey(latin: string): string {
  const kinds = latin
    .replace(/ph/g, 'f')
    .replace(/th/g, 't')
    .replace(/ch/g, 'k')
    .replace(/qu|kv|ku(?=[aeio])/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/s?c(?=[eiy])/g, 's')
    .replace(/[tsz]+s|tz|dz/g, 's')
    .replace(/h/g, '')
    .replace(/[aeiouyj]+/g, '.')
    .replace(/[cgkq]/g, 'k')
    .replace(/[dt]/g, 't')
    .replace(/[bfpvw]/g, 'p')
    .replace(/[lr]/g, 'r')
    .replace(/[mn]/g, 'n')
    .replace(/[sz]/g, 's');
  return (kinds.startsWith('.') ? '.' : '') + kinds.replace(/\./g, '').replace(/([a-z])\1+/g, '$1');
}
