/** Languages in which formulas are read. */
export type FormulaLanguage = "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "ja" | "zh";

type Translation = readonly [
  de: string,
  fr: string,
  es: string,
  it: string,
  pt: string,
  nl: string,
  ja: string,
  zh: string,
];
const order: readonly FormulaLanguage[] = ["de", "fr", "es", "it", "pt", "nl", "ja", "zh"];

/** Words of formulas by the English ones. `{a}` and `{b}` are what they are about. */
const translations: Readonly<Record<string, Translation>> = {
  equals: ["gleich", "égale", "es igual a", "è uguale a", "é igual a", "is gelijk aan", "イコール", "等于"],
  plus: ["plus", "plus", "más", "più", "mais", "plus", "プラス", "加"],
  minus: ["minus", "moins", "menos", "meno", "menos", "min", "マイナス", "减"],
  times: ["mal", "fois", "por", "per", "vezes", "keer", "かける", "乘以"],
  "divided by": [
    "geteilt durch",
    "divisé par",
    "dividido por",
    "diviso",
    "dividido por",
    "gedeeld door",
    "割る",
    "除以",
  ],
  "plus or minus": [
    "plus minus",
    "plus ou moins",
    "más menos",
    "più o meno",
    "mais ou menos",
    "plus of min",
    "プラスマイナス",
    "正负",
  ],
  "is at most": [
    "kleiner gleich",
    "inférieur ou égal à",
    "menor o igual que",
    "minore o uguale a",
    "menor ou igual a",
    "kleiner dan of gelijk aan",
    "以下",
    "小于等于",
  ],
  "is at least": [
    "größer gleich",
    "supérieur ou égal à",
    "mayor o igual que",
    "maggiore o uguale a",
    "maior ou igual a",
    "groter dan of gelijk aan",
    "以上",
    "大于等于",
  ],
  "is less than": [
    "kleiner als",
    "inférieur à",
    "menor que",
    "minore di",
    "menor que",
    "kleiner dan",
    "小なり",
    "小于",
  ],
  "is greater than": [
    "größer als",
    "supérieur à",
    "mayor que",
    "maggiore di",
    "maior que",
    "groter dan",
    "大なり",
    "大于",
  ],
  "is not": [
    "ungleich",
    "différent de",
    "distinto de",
    "diverso da",
    "diferente de",
    "is niet",
    "ノットイコール",
    "不等于",
  ],
  "is about": [
    "ungefähr",
    "environ égal à",
    "aproximadamente",
    "circa",
    "aproximadamente",
    "ongeveer",
    "約",
    "约等于",
  ],
  "is equivalent to": [
    "äquivalent zu",
    "équivalent à",
    "equivalente a",
    "equivalente a",
    "equivalente a",
    "equivalent met",
    "合同",
    "恒等于",
  ],
  "is proportional to": [
    "proportional zu",
    "proportionnel à",
    "proporcional a",
    "proporzionale a",
    "proporcional a",
    "evenredig met",
    "比例",
    "正比于",
  ],
  in: ["Element von", "appartient à", "pertenece a", "appartiene a", "pertence a", "in", "属する", "属于"],
  "not in": [
    "kein Element von",
    "n'appartient pas à",
    "no pertenece a",
    "non appartiene a",
    "não pertence a",
    "niet in",
    "属さない",
    "不属于",
  ],
  "for all": [
    "für alle",
    "pour tout",
    "para todo",
    "per ogni",
    "para todo",
    "voor alle",
    "すべての",
    "对所有",
  ],
  "there is": ["es gibt", "il existe", "existe", "esiste", "existe", "er bestaat", "存在する", "存在"],
  and: ["und", "et", "y", "e", "e", "en", "かつ", "且"],
  or: ["oder", "ou", "o", "o", "ou", "of", "または", "或"],
  not: ["nicht", "non", "no", "non", "não", "niet", "否定", "非"],
  to: ["gegen", "vers", "a", "a", "para", "naar", "から", "到"],
  implies: ["daraus folgt", "implique", "implica", "implica", "implica", "impliceert", "ならば", "推出"],
  "if and only if": [
    "genau dann wenn",
    "si et seulement si",
    "si y solo si",
    "se e solo se",
    "se e somente se",
    "dan en slechts dan als",
    "同値",
    "当且仅当",
  ],
  infinity: ["unendlich", "l'infini", "infinito", "infinito", "infinito", "oneindig", "無限大", "无穷大"],
  "the sum": ["die Summe", "la somme", "la suma", "la somma", "a soma", "de som", "総和", "求和"],
  "the product": [
    "das Produkt",
    "le produit",
    "el producto",
    "il prodotto",
    "o produto",
    "het product",
    "総乗",
    "求积",
  ],
  "the integral": [
    "das Integral",
    "l'intégrale",
    "la integral",
    "l'integrale",
    "a integral",
    "de integraal",
    "積分",
    "积分",
  ],
  "the limit": [
    "der Grenzwert",
    "la limite",
    "el límite",
    "il limite",
    "o limite",
    "de limiet",
    "極限",
    "极限",
  ],
  "and so on": [
    "und so weiter",
    "et ainsi de suite",
    "y así sucesivamente",
    "e così via",
    "e assim por diante",
    "enzovoort",
    "など",
    "等等",
  ],
  union: ["vereinigt mit", "union", "unión", "unione", "união", "verenigd met", "和集合", "并"],
  intersection: [
    "geschnitten mit",
    "intersection",
    "intersección",
    "intersezione",
    "interseção",
    "doorsnede",
    "共通部分",
    "交",
  ],
  degrees: ["Grad", "degrés", "grados", "gradi", "graus", "graden", "度", "度"],
  percent: [
    "Prozent",
    "pour cent",
    "por ciento",
    "per cento",
    "por cento",
    "procent",
    "パーセント",
    "百分号",
  ],
  prime: ["Strich", "prime", "prima", "primo", "linha", "accent", "ダッシュ", "撇"],
  factorial: [
    "Fakultät",
    "factorielle",
    "factorial",
    "fattoriale",
    "fatorial",
    "faculteit",
    "階乗",
    "的阶乘",
  ],
  squared: [
    "zum Quadrat",
    "au carré",
    "al cuadrado",
    "al quadrato",
    "ao quadrado",
    "kwadraat",
    "の2乗",
    "的平方",
  ],
  cubed: ["hoch 3", "au cube", "al cubo", "al cubo", "ao cubo", "tot de derde", "の3乗", "的立方"],
  over: ["durch", "sur", "sobre", "fratto", "sobre", "gedeeld door", "割る", "除以"],
  "{a} over {b}": [
    "{a} durch {b}",
    "{a} sur {b}",
    "{a} sobre {b}",
    "{a} fratto {b}",
    "{a} sobre {b}",
    "{a} gedeeld door {b}",
    "{b} 分の {a}",
    "{b} 分之 {a}",
  ],
  "the square root of {a}": [
    "Wurzel aus {a}",
    "racine carrée de {a}",
    "raíz cuadrada de {a}",
    "radice quadrata di {a}",
    "raiz quadrada de {a}",
    "wortel van {a}",
    "ルート {a}",
    "根号 {a}",
  ],
  "to the power of {a}": [
    "hoch {a}",
    "puissance {a}",
    "elevado a {a}",
    "elevato alla {a}",
    "elevado a {a}",
    "tot de macht {a}",
    "の {a} 乗",
    "的 {a} 次方",
  ],
  "sub {a}": [
    "Index {a}",
    "indice {a}",
    "sub {a}",
    "pedice {a}",
    "índice {a}",
    "index {a}",
    "{a}",
    "下标 {a}",
  ],
  transposed: [
    "transponiert",
    "transposée",
    "traspuesta",
    "trasposta",
    "transposta",
    "getransponeerd",
    "転置",
    "转置",
  ],
};

/** A word of formulas in a language; the English one where there is none. */
export function inLanguage(english: string, language: FormulaLanguage): string {
  const isKnown = language !== "en" && Object.hasOwn(translations, english);
  return (isKnown ? translations[english]?.[order.indexOf(language)] : undefined) ?? english;
}

/** Frequent words that the other languages have seldom. */
const frequent: Readonly<Partial<Record<FormulaLanguage, readonly string[]>>> = {
  en: "the of and is are with for that this which where".split(" "),
  de: "der die das und ist mit für von eine ein den dem wir gilt".split(" "),
  fr: "le la les et est une des dans pour que avec sur nous".split(" "),
  es: "el los las y es una con para que por del como donde".split(" "),
  it: "il gli e è una di con per che della sono dove nel".split(" "),
  pt: "o os e é uma com para que da do não são onde em".split(" "),
  nl: "de het een en is met van voor dat zijn wij waar niet".split(" "),
};

/** Characters that decide on a language. */
const sampleLength = 20_000;

/** The language of a text, by `lang` of its front matter, its script, or its frequent words; English if none is found. */
export function languageOf(source: string): FormulaLanguage {
  const text = source.slice(0, sampleLength);
  const [, stated = ""] =
    /^---\n(?:[^\n]{0,200}\n){0,40}?lang(?:uage)?:\s*["']?([a-z]{2})\b/i.exec(text) ?? [];
  const known = [...order, "en" as const].find((language) => language === stated.toLowerCase());
  if (known) return known;
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const letters = count(/\p{L}/gu);
  if (count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu) * 10 > letters) return "ja";
  if (count(/\p{Script=Han}/gu) * 5 > letters) return "zh";
  const words = new Map<string, number>();
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) words.set(word, (words.get(word) ?? 0) + 1);
  let [best, most]: [FormulaLanguage, number] = ["en", 0];
  for (const [language, list] of Object.entries(frequent) as [FormulaLanguage, readonly string[]][]) {
    const found = list.reduce((sum, word) => sum + (words.get(word) ?? 0), 0);
    if (found > most) [best, most] = [language, found];
  }
  return best;
}
