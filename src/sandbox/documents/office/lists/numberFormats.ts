import { romanNumeral } from "../../../romanNumeral.ts";

/** Formats that count with the letters of an alphabet or of a row of signs, by Word's names (17.18.59). */
const rows: Readonly<Record<string, string>> = {
  russianLower: "абвгдежзиклмнопрстуфхцчшщыэюя",
  russianUpper: "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ",
  arabicAlpha: "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
  arabicAbjad: "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
  hebrew1: "אבגדהוזחטי",
  hebrew2: "אבגדהוזחטיכלמנסעפצקרשת",
  ganada: "가나다라마바사아자차카타파하",
  chosung: "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
  aiueo: "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
  aiueoFullWidth:
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
  iroha: "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス",
  irohaFullWidth:
    "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス",
  ideographTraditional: "甲乙丙丁戊己庚辛壬癸",
  ideographZodiac: "子丑寅卯辰巳午未申酉戌亥",
  thaiLetters: "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ",
  hindiVowels: "अआइईउऊऋऌऍऎएऐऑऒओऔ",
  hindiConsonants: "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह",
};
/** Digits of other scripts, from zero. */
const digitRows: Readonly<Record<string, string>> = {
  decimalFullWidth: "０１２３４５６７８９",
  decimalFullWidth2: "０１２３４５６７８９",
  hindiNumbers: "०१२३४५६७८९",
  thaiNumbers: "๐๑๒๓๔๕๖๗๘๙",
  koreanDigital: "영일이삼사오육칠팔구",
  koreanDigital2: "零一二三四五六七八九",
};

/**
 * A number as Word and PowerPoint write it in a list. `custom:001` fills it with zeros. Formats that are not known here
 * are digits.
 */
export function numberInFormat(count: number, format: string): string {
  const row = Object.hasOwn(rows, format) ? [...(rows[format] ?? "")] : [];
  const letter = row[count - 1];
  if (letter !== undefined) return letter;
  if (Object.hasOwn(digitRows, format))
    return String(count).replace(/\d/g, (digit) => [...(digitRows[format] ?? "")][Number(digit)] ?? digit);
  if (format.startsWith("custom:")) return String(count).padStart(format.length - "custom:".length, "0");
  return Object.hasOwn(writers, format) ? (writers[format]?.(count) ?? "") : otherNumber(count, format);
}

const writers: Readonly<Record<string, (count: number) => string>> = {
  none: () => "",
  upperRoman: (count) => roman(count).toUpperCase(),
  lowerRoman: (count) => roman(count),
  upperLetter: (count) => letters(count).toUpperCase(),
  lowerLetter: (count) => letters(count),
  decimalZero: (count) => String(count).padStart(2, "0"),
  ordinal: (count) => ordinal(count),
  numberInDash: (count) => `- ${count} -`,
  hex: (count) => count.toString(16).toUpperCase(),
  cardinalText: (count) => words(count, cardinals, (tens, ones) => `${tens}-${ones}`),
  ordinalText: (count) => words(count, ordinals, (tens, ones) => `${tens}-${ones}`),
};

function otherNumber(count: number, format: string): string {
  if (format.startsWith("decimalEnclosedCircle") && count > 0 && count <= 20)
    return String.fromCodePoint(0x245f + count);
  if (/^(?:chineseCounting|ideographDigital|japaneseCounting|taiwaneseCounting)/.test(format))
    return chinese(count);
  return String(count);
}

function roman(count: number): string {
  return count <= 0 || count > 20_000 ? String(count) : romanNumeral(count);
}

/** a to z, then aa to zz, as Word counts. */
function letters(count: number): string {
  if (count <= 0 || count > 780) return String(count);
  return String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.ceil(count / 26));
}

function ordinal(count: number): string {
  const isTeen = Math.floor(count / 10) % 10 === 1;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th");
  return `${count}${ending}`;
}

function chinese(count: number): string {
  const digits = [..."〇一二三四五六七八九"];
  if (count < 0 || count > 99) return String(count);
  const [tens, ones] = [Math.floor(count / 10), count % 10];
  if (tens === 0) return digits[ones] ?? "";
  return `${tens === 1 ? "" : digits[tens]}十${ones === 0 ? "" : digits[ones]}`;
}

const cardinals =
  "Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen".split(
    " ",
  );
const ordinals =
  "Zeroth First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth Thirteenth Fourteenth Fifteenth Sixteenth Seventeenth Eighteenth Nineteenth".split(
    " ",
  );
const tensWords = "Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety".split(" ");

/** Word writes larger numbers, too; lists have fewer items. */
function words(
  count: number,
  small: readonly string[],
  join: (tens: string, ones: string) => string,
): string {
  const known = small[count];
  if (known !== undefined) return known;
  const tens = tensWords[Math.floor(count / 10) - 2];
  const ones = small[count % 10];
  if (tens === undefined || ones === undefined) return String(count);
  if (count % 10 > 0) return join(tens, ones.toLowerCase());
  return small === ordinals ? `${tens.slice(0, -1)}ieth` : tens;
}
