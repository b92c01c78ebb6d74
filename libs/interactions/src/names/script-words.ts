/** Chinese and Japanese write no spaces. These words stand before or after a name: salts and forms. */
const ATTACHED = wordsOf(`
  软胶囊 缓释胶囊 肠溶胶囊 胶囊 膠囊 缓释片 控释片 肠溶片 分散片 咀嚼片 泡腾片 緩釋片 緩釋錠 腸溶片 片 颗粒 顆粒 口服液 注射液 注射剂 软膏 軟膏 乳膏
  滴眼液 点眼液 糖浆 糖漿 滴剂 喷雾剂 吸入剂 栓 丸 毫克 微克 毫升 錠剤 錠劑 錠 細粒 散 カプセル シロップ クリーム 塩酸塩 盐酸 鹽酸 苯磺酸 马来酸
  馬來酸 酒石酸 富马酸 枸橼酸 氢溴酸 甲磺酸 琥珀酸 钠 鈉 钾 鉀 钙 鈣
`);

/** Korean writes the form at the end of a name: "아스피린정". */
const KOREAN_FORMS = wordsOf(`서방정 캡슐 시럽 주사액 크림 연고 점안액 정`);

/** Words of other scripts that never identify a drug: units, forms, times of the day. Folded. */
export const SCRIPT_WORDS: ReadonlySet<string> = new Set([
  ...ATTACHED,
  ...KOREAN_FORMS,
  ...wordsOf(`
  мг мкг г гр мл ме ед таблетка таблетки таблеток таблетку табл таб капсула капсулы капсул капс капли капель раствор сироп суспензия порошок
  мазь крем гель спрей свечи суппозитории ампулы ампула амп для инъекции инъекций приема внутрь по раза раз в день сутки утром вечером на ночь
  таблети капсули таблете капсуле краплі розчин мазь крапки лекарство лекарства ретард форте шипучие
  mg δισκια δισκιο δισκ καψακια καψακιο σταγονες σιροπι κρεμα αλοιφη αναβραζοντα μγ ημερα φορες το την
  ملغ مغ مجم مل غ غرام ملغم قرص اقراص كبسوله كبسولات حبوب حبه شراب محلول قطره مرهم كريم جل حقن حقنه بخاخ يوميا مره مرات في اليوم
  מג מ״ג מל טבליות טבליה כדורים כדור קפסולות סירופ טיפות משחה קרם ביום פעם פעמים
  मिग्रा मिलीग्राम ग्राम एमजी गोली गोलियां टैबलेट कैप्सूल सिरप दिन बार में
  มก มิลลิกรัม กรัม มล เม็ด แคปซูล ยา ยาน้ำ น้ำเชื่อม วันละ ครั้ง
  注射 ミリグラム 用 od
  口服 克
  주사 밀리그램 하루
  `),
]);

const ATTACHED_TO_A_NAME = new RegExp(`(${longestFirst(ATTACHED)})`, 'gu');
const AFTER_A_KOREAN_NAME = new RegExp(
  `(\\p{Script=Hangul}{2,}?)(${longestFirst(KOREAN_FORMS)})(?!\\p{L})`,
  'gu',
);

/** Puts spaces between a name and the words that are written to it without one. */
export function withSpaces(folded: string): string {
  if (/^[ -~]*$/.test(folded)) return folded;
  return folded.replace(ATTACHED_TO_A_NAME, ' $1 ').replace(AFTER_A_KOREAN_NAME, '$1 $2');
}

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

function longestFirst(words: readonly string[]): string {
  return [...words].sort((a, b) => b.length - a.length).join('|');
}
