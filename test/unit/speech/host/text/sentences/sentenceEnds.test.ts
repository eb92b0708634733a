// Where the sentences of a text begin, by inputs of the kinds that people report to speech programs. | marks an end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { listItems } from "../../../../../../src/speech/host/text/sentences/listItems.ts";
import { sentenceStarts } from "../../../../../../src/speech/host/text/sentences/sentenceEnds.ts";

function holds(texts: readonly string[]): void {
  for (const marked of texts) {
    const text = marked.replaceAll("|", "");
    const starts = sentenceStarts(text);
    const sentences = starts.map((start, index) =>
      text.slice(start, starts[index + 1] ?? text.length).trim(),
    );
    assert.deepEqual(
      sentences,
      marked.split("|").map((sentence) => sentence.trim()),
    );
  }
}

test("an abbreviation ends no sentence before a title, an initial or a capital of its own", () => {
  holds([
    "At 7 a.m. Mrs. Hill went to the bank.| This is e.g. Mr. Hill, who walks slowly.",
    "Wir trafen Dr. med. Maier in der Stadt.| Sie besucht eine kath. Schule.",
    "Buongiorno!| Sono l'Ing. Mengoni e parlo con l'avv. Rossi.| C'era anche l’Avv. Verdi.",
    "Vi mancano altri dati (ad es. RAM e CPU).| Egregio Dir. Amm., grazie.",
    "De holdt Skt. Hans i byen.| Hvad med dig?",
    "Едем в пгт. Березовка по трассе.| Там живёт доц. Иванова.",
    "وقال د. أحمد إنه بخير.| ثم ذهب إلى البيت.",
    "Mr. T. was on TV.| Lt. Col. Smith and Sgt. Pepper met Maj. Tom.",
    "Q. What is his name?| A. His name is Alfred.| Q. Is it his own?",
  ]);
});

test("an abbreviation before a number ends no sentence, an ordinary word before one does", () => {
  holds([
    "We meet in Rm. 204 on Jan. 5, see para. 2 and app. B.| Be on time.",
    "Das finden Sie auf S. 225 und nach § 5 Abs. 1 S. 2 BGB.| Am 24. Dez. war es kalt.",
    "Mi fissi un appuntamento per mar. 23 Nov. 2024.| Grazie.",
    "El lanzamiento (30 Ago. 1984) fue un éxito.| Vive en la Av. Libertador, n.º 5.",
    "O Sr. Silva mora na R. Augusta, nº. 15.| You can find it at N°. 10.",
    "SEC. 12 is the longest one.| See FIG. 3 and NO. 5.",
    "It was raining. |5 people came anyway.| Then it was over. |3 of them left.",
    "Add 2 tbsp. of oil and 3 oz. of salt.| It weighs 10 lbs. and is 5 ft. 3 in. tall.",
    "The answer is no.| I agree with that.| The symbol for minutes is min.| The rest is known.",
  ]);
});

test("the time of day ends a sentence before a capital, but for its zone, its day and a title", () => {
  holds([
    "We left at 6 P.M.| Travelers who were late left at 7 p.m.| I'm going now.",
    "It begins at 5 p.m. Eastern Time and ends at 9 p.m. GMT on Friday.",
    "Open from 9 a.m. to 5 p.m. Monday to Friday.",
  ]);
});

test("marks of other scripts end sentences, their numbers and titles do not", () => {
  holds([
    "Այսօր երկուշաբթի է:| Ես գնում եմ:| Մութ է։| Գնանք։",
    "我们去看《你好！世界》好吗？|好的！|《书》。|完。",
    "利率は３．２９％以上です。|終わりです。",
    "Test this．|Does it work．",
    "यह अच्छा है।| तुम कहाँ हो?| वह आया।",
    "هل أنت بخير؟| نعم، أنا بخير.",
    "آپ کیسے ہیں؟| میں ٹھیک ہوں۔",
    "ይህ ጥሩ ነው።| እንዴት ነህ?",
    "나는 학교에 갔다.| 너는 어디에 있니?",
  ]);
});

test("dots are pauses or ends, as they are written", () => {
  holds([
    "I was not really ... well, the thing is . . . I did not mean it.",
    "He did not abandon it. . . .| The practice went on.",
    "It was 81 percent of it.| ...and then all went wrong.",
    "Wait... what is it?| I do not know…| Then he left.",
  ]);
});

test("quoted words, sources in brackets and what a speaker adds don't end the sentence around them", () => {
  holds([
    "He yelled, 'Stop!' and they stopped.| 'Why?' she asked him.| ‘Now?’ he said.",
    "Leave me alone! he yelled.| She did not answer.| Who is it? she asked.",
    '"It used the analogy of stairs [...]" (Smith 55).| It was so.',
    "What do you see?| - A ship, he said.| – Oui, monsieur.",
    "(That was long ago.)| Now it is known.",
  ]);
});

test("a sentence that lacks its blank ends, names with dots do not", () => {
  holds([
    "Hello there.|How are you today?|I bought 1,000.|That is a lot.",
    "Use Console.WriteLine and node.js with System.IO.Path.| Call obj.method().then() again.",
    "See example.com or README.md.| Version 1.2.3 is out.",
  ]);
});

test("items of a list in one line are sentences, with their numbers", () => {
  holds([
    "1. The first item |2. The second item |3. The third",
    "1.) Open the box. |2.) Close the box.",
    "a) The first item |b) The second item |c) The third",
    "Do this: |1) Open it |2) Close it",
    "• 1. Buy milk |• 2. Buy eggs",
    "1. The first item.| 2. The second item.",
    "1.) An item alone.",
    "We had 2.| It was enough for us.",
  ]);
  assert.deepEqual(listItems("He is no. 1. She is no. 2. They are 3) and 4) of it."), []);
});
