import { expect, it } from "vitest";
import { isOtherLanguage } from "./answer-language";

const FERRY = {
	english: [
		"When does the ferry leave, and what is the price?",
		"The ferry leaves at nine, and a ticket is 12 euros [1].",
	],
	german: [
		"Wann fährt die Fähre, und wie teuer ist sie?",
		"Die Fähre fährt um neun, und der Fahrschein ist nicht teuer [1].",
	],
	french: [
		"Quand part le ferry et combien coûte le billet ?",
		"Le ferry part à neuf heures et le billet est à 12 euros [1].",
	],
	turkish: [
		"Feribot ne zaman kalkıyor ve bilet kaç euro?",
		"Feribot saat dokuzda kalkıyor ve bir bilet 12 euro için var [1].",
	],
	russian: ["Когда отходит паром и сколько стоит билет?", "Паром отходит в девять, билет стоит 12 евро [1]."],
	arabic: ["متى تغادر العبارة وكم سعر التذكرة؟", "تغادر العبارة في التاسعة وسعر التذكرة 12 يورو [1]."],
	chinese: ["渡轮什么时候开？票价是多少？", "渡轮九点开，票价是十二欧元[1]。"],
	japanese: ["フェリーは何時に出ますか。", "フェリーは九時に出ます。切符は十二ユーロです[1]。"],
} as const;
const languages = Object.keys(FERRY) as (keyof typeof FERRY)[];

it.each(languages.flatMap((asked) => languages.map((answered) => [asked, answered] as const)))(
	"tells a question in %s from an answer in %s",
	(asked, answered) => {
		expect(isOtherLanguage(FERRY[asked][0], FERRY[answered][1])).toBe(asked !== answered);
	},
);

it.each([
	["a name", "Qui a écrit le livre ?", "Ivan Turgenev [1]."],
	["a name in another script", "Wer hat das Buch geschrieben?", "渡边淳一 [1]"],
	["a number", "كم سعر التذكرة؟", "12 EUR [1]."],
	[
		"a quotation in the language of the passage",
		"Was steht auf dem Schild am Hafen?",
		'Auf dem Schild steht: "The ferry leaves at nine and the office is closed on Mondays" [1].',
	],
	[
		"code",
		"Wie starte ich den Dienst auf dem Rechner?",
		"```\nnpm start -- --the --is --of --and --to\n```\nSo startet er [1].",
	],
	[
		"the language that was asked for",
		"What is the ferry called in French?",
		"Le ferry est le bateau qui part dans le port pour les îles.",
	],
	[
		"a translation that was asked for",
		"把这句话翻译一下：渡轮九点开。",
		"The ferry leaves at nine o'clock in the morning.",
	],
	[
		"words that are the same in many languages",
		"Restaurant Hotel Taxi?",
		"Hotel Adler, Taxi 555, Restaurant Krone.",
	],
	[
		"product names in a Chinese question",
		"GitHub Actions 的 token 怎么更新？",
		"在 GitHub Settings 里打开 Developer settings，然后更新 token [1]。",
	],
])("says nothing of %s", (_, question, answer) => {
	expect(isOtherLanguage(question, answer)).toBe(false);
});
