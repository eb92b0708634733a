/**
 * Abbreviations that end in a full stop, by language, without it. They are looked up in one list, because a text quotes
 * names and words of other languages. What is an ordinary word in another one is listed only where a number follows.
 */
interface Abbreviations {
  /** Something always follows: `Dr. Smith`, `bzw. heute`. */
  readonly open?: string;
  /** They are abbreviations only before a number: `No. 5`, `Fig. 2`. */
  readonly number?: string;
  /** A sentence may end with them: `Acme Inc. bought it`, `Acme Inc. The rest is known`. */
  readonly name?: string;
}

const byLanguage: Readonly<Record<string, Abbreviations>> = {
  en: {
    open: "Dr Drs Mr Mrs Ms Messrs Mx Prof Rev Hon Gen Col Lt Sgt Cpl Capt Cmdr Maj Gov Sen Rep Pres Supt St Mt Ft vs viz cf approx esp incl excl e.g i.e eg ie resp aka Adm Amb Atty Hon Insp Det Cdr Brig Pvt Ald Fr Br Assoc",
    number:
      "No Nos no nos Rm Fig Figs fig figs Eq Eqs eq eqs Sec Secs sec Ch Chs ch Vol Vols vol vols p pp Art art Ref Refs Tab Tbl v ver ca c Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Op Nr para paras Para app App ext Ext pt Pt ft lb lbs oz yd mi hr hrs min mins secs kg km cm mm tbsp tsp gal ed Ed",
    name: "Inc Ltd Co Corp Bros Jr Sr Esq Ave Blvd Rd Dept Univ Assn Ph.D M.D B.A M.A a.m p.m U.S U.K U.N al etc min max ft lbs oz tbsp tsp hrs hr temp avg dept St Ave Pl Sq Hwy Cir Ct Ln Mo Wash Calif Tex Ariz Mass Conn Fla",
  },
  de: {
    open: "Hr Hrn Fr Dipl Ing Dr Prof bzw z.B d.h u.a v.a o.g o.ä u.U s.o s.u i.d.R z.T z.Zt evtl ggf inkl exkl sog ca vgl bspw beispielsweise gem zzgl abzgl mind ugs kath ev röm österr schweiz dt engl frz Skt Mag Msgr hl Hl sen jun geb gest St Str versch insb insbes i.A i.V m.E m.W zw event vorm urspr Bd",
    number:
      "Jan Jän Feb Febr Mär Apr Jun Jul Aug Sept Okt Nov Dez Mo Di Mi Do Fr Sa So Nr Nrn Abs Abschn Art Bd Kap Tel S Rn Rz Abb Tab Ziff Anm Fn Jg Aufl H Z Pos Best",
    name: "GmbH Mio Mrd Tsd Jh Jhd Chr",
  },
  fr: {
    open: "M MM Mme Mmes Mlle Mlles Mgr Me Pr Dr St Ste p.ex c.-à-d cf env év apr av J.-C éd hab",
    number: "n no nos p pp art chap fig vol t tél ann janv févr avr juil sept oct nov déc",
  },
  es: {
    open: "Sr Sra Sres Sras Srta Dr Dra D Dña Ud Uds Vd Vds Prof Profa Lic Ing Arq Gral p.ej p.e Excmo Excma Sto Sta aprox Av Avda Cía",
    number:
      "ene feb mar abr jun jul ago sept oct nov dic Ene Feb Mar Abr Jun Jul Ago Sept Oct Nov Dic n núm núms pág págs cap fig art vol tel tfno",
    name: "EE.UU EE UU S.A S.L a.C d.C",
  },
  pt: {
    open: "Sr Sra Srs Sras Srta Dr Dra Prof Profa Eng Exmo Exma p.ex Sto Sta aprox Av",
    number: "jan fev mar abr mai jun jul ago set nov dez n núm nº pág págs cap fig art vol tel",
    name: "Ltda S.A a.C d.C",
  },
  it: {
    open: "avv ing dott sig Sig Sigg Sig.ra Sig.na Dott Dott.ssa Prof Prof.ssa Avv Ing Arch Geom Rag On Egr Gent.mo p.es cfr ad.es S.p ad es psicol Dir Amm Spett Ill.mo Cav Comm On.le Mons",
    number:
      "gen feb mar apr mag giu lug ago set ott nov dic lun mer gio ven sab dom n pag pagg cap fig art vol tel",
    name: "S.p.A S.r.l a.C d.C",
  },
  nl: {
    open: "dhr mevr mw drs ir mr prof dr bijv bv d.w.z o.a m.b.t t.o.v i.v.m t.a.v evt incl excl resp m.n zgn",
    number: "nr nrs blz pag art afb tel hfst",
  },
  sv: {
    open: "t.ex bl.a dvs d.v.s s.k ca fr.o.m t.o.m p.g.a resp ev inkl exkl",
    number: "nr sid kap kl tel s",
  },
  da: {
    open: "Skt pga f.eks bl.a dvs d.v.s ca evt inkl ekskl hhv pga mht fx hr fr",
    number: "nr kap kl tlf s stk",
  },
  nb: { open: "f.eks bl.a dvs ca evt inkl ekskl hhv pga mht hr fr", number: "nr kap kl tlf s" },
  fi: { open: "esim ts ns mm n ks vrt tri prof", number: "s luv nro puh klo" },
  pl: {
    open: "np m.in tzn tzw tj prof dr hab inż mgr ul al pl św im ok woj pow gen płk por",
    number: "nr str s rys tab art ust rozdz tel r",
  },
  cs: {
    open: "napr např tzv resp tj tzn tzv mj resp prof Ing Mgr MUDr JUDr PhDr RNDr Bc doc ul nám sv p",
    number: "č str s obr tab odst kap tel",
  },
  hu: { open: "pl ún ill kb dr prof id ifj özv Szt", number: "sz old kb" },
  tr: { open: "Dr Prof Doç Av Sn örn bkz yak Hz Sok Cad Mah", number: "No no s Md" },
  ru: {
    open: "т.е т.к т.н т.ч напр см ср им ул пр пгт пос дер вкл Пл кв просп пл пер наб акад проф доц гр гос тов обл респ р-н рис табл",
    number: "стр с п пп гл ст разд рис табл тел кв корп д № изд т",
    name: "г гг в вв руб тыс млн млрд н.э",
  },
  uk: {
    open: "т.б т.зв напр див ім вул пл проф акад обл",
    number: "с стор ст п рис табл",
    name: "р рр ст грн тис млн млрд",
  },
  la: { open: "cf viz sc N.B", number: "lib cap" },
};

function wordsOf(kind: keyof Abbreviations): ReadonlySet<string> {
  return new Set(Object.values(byLanguage).flatMap((each) => each[kind]?.split(" ") ?? []));
}

const open = wordsOf("open");
const beforeNumber = wordsOf("number");
const name = wordsOf("name");

export type AbbreviationKind = "open" | "number" | "name";

/** The kinds of a word before a full stop; it may be written with a capital at the start of a sentence. */
export function abbreviationKinds(word: string): ReadonlySet<AbbreviationKind> {
  const small = word.charAt(0).toLowerCase() + word.slice(1);
  const isCapitals = /^\p{Lu}{2,}$/u.test(word);
  const has = (words: ReadonlySet<string>) =>
    words.has(word) || words.has(small) || (isCapitals && words.has(word.toLowerCase()));
  const kinds = new Set<AbbreviationKind>();
  if (open.has(word) || (small !== word && small.length > 2 && open.has(small))) kinds.add("open");
  if (has(beforeNumber)) kinds.add("number");
  if (name.has(word)) kinds.add("name");
  return kinds;
}

/** Words that often begin a sentence, and rarely a name. */
export const sentenceStarters: ReadonlySet<string> = new Set(
  [
    "The This That These Those It Its He She We They You I In On At By For From If When While But And Or So Then There Here As After Before Because",
    "My Our His Her Their Your What Who Why How Where Which No Yes Not A An All Some Many Most Each Every However Meanwhile Also Even Now Today Later",
    "Please Let Do Does Did Is Are Was Were Can Could Will Would Should To With Without Once Until Since Both Another Other Only Just Its Two Three",
    "Der Die Das Den Dem Des Ein Eine Einen Er Sie Es Wir Ich Ihr Du Man Und Aber Oder Dann Da Dort Hier Im Am An Auf Bei Mit Nach Von Zu Wenn Als Weil Doch Nun Dies Diese Dieser Dieses Danach Auch Wer Wie Was Für",
    "Le La Les Un Une Il Elle Ils Elles Nous Vous Je On Ce Cette Ces Mais Et Puis Dans En Au Aux Pour Par Si",
    "El Los Las Una Uno Y Pero Con Por Para Se Su Sus Esto Esta Este Luego O Os As Um Uma Ele Ela Eles Mas Na Nos Lo Gli Ma Poi Nel Nella",
    "De Het Een Hij Zij Wij Ik Maar En Dan Och Men Han Hon Det Den Vi Jag Og Jeg Hun Hvad Hvor Hvem Hvordan Hvis Når Vad Var Vem Hur Om Det Wat Waar Wie Hoe Als Toen",
    "Он Она Оно Они Мы Вы Я Ты Это Этот Эта В На И Но А Как Потом Затем Если Когда По За Из Він Вона Воно Вони Ми Це",
  ].flatMap((line) => line.split(" ")),
);
