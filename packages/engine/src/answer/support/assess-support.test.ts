import { expect, it } from "vitest";
import { assessSupport } from "./assess-support";

const TEXT =
	"Refunds take five working days. Opened items are refunded at 1,250 cents; gift cards cannot be returned. " +
	"Orders after 5 p.m. leave the next day.";

it.each([
	["words to the letter", "Opened items are refunded", "quoted"],
	["other forms of words", "An opened item is refunded.", "supported"],
	["a number as a word", "Refunds take 5 working days.", "supported"],
	["a number with other separators", "Opened items: refunded at 1250 cents.", "supported"],
	["an hour of the afternoon", "Orders after 17:00 leave the next day.", "supported"],
	["no claim", "See:", "supported"],
	["another number", "Refunds take six working days.", "weak"],
	["a name that is not there", "Opened items are refunded at 1,250 cents by Acme.", "weak"],
	["the contrary", "Gift cards can be returned.", "weak"],
	["the contrary by a prefix", "Unopened items are refunded at 1,250 cents.", "weak"],
	["more than is said", "Refunds take five working days and are announced by telephone beforehand.", "weak"],
	["something else", "The lighthouse blinks twice.", "weak"],
])("compares %s", (_, claim, support) => {
	expect(assessSupport(claim, { text: TEXT })).toBe(support);
});

it.each([
	["退款需要五个工作日。", "退款需要5个工作日", "supported"],
	["退货运费由买家承担。", "退货运费由卖家承担。", "weak"],
	["Возврат занимает пять рабочих дней.", "Возвраты занимают 5 рабочих дней.", "supported"],
	["Возврат занимает пять рабочих дней.", "Возврат не занимает пять рабочих дней.", "weak"],
	["İade beş iş günü sürer.", "İade 5 iş günü sürer.", "supported"],
	["المتجر يفتح في الساعة ٩ صباحا.", "يفتح المتجر الساعة 9 صباحا.", "supported"],
	["المتجر يفتح في الساعة ٩ صباحا.", "يفتح المتجر الساعة 10 صباحا.", "weak"],
	["返金には五日かかります。", "返金には5日かかります。", "supported"],
	["Die Frist beträgt drei Monate.", "Die Frist beträgt 3 Monate.", "supported"],
])("compares in any language: %s, %s", (text, claim, support) => {
	expect(assessSupport(claim, { text })).toBe(support);
});

it.each([
	["Reports are due within 60 days.", "Reports are due within 60 hours.", "weak"],
	["Reports are due within 60 days.", "Reports are due within 60 working days.", "supported"],
	["A turn takes 7-10 days.", "A turn takes between 7 and 10 days.", "supported"],
	["A turn takes 7-10 days.", "A turn takes between 7 and 10 weeks.", "weak"],
	["A receipt is needed over $25.", "A receipt is needed over €25.", "weak"],
	["A bonus of $1k is paid.", "A bonus of $1,000 is paid.", "supported"],
	["The budget was 2 million euros.", "The budget was 2,000,000 euros.", "supported"],
	["The budget was 2 million euros.", "The budget was 2 billion euros.", "weak"],
	["Teams get $1,850 per year.", "Teams get $1,850 yearly.", "supported"],
	["Teams get $1,850 per year.", "Teams get $1,850 per month.", "weak"],
	["Die Probezeit dauert 6 Monate.", "Die Probezeit dauert 6 Wochen.", "weak"],
	["Une réponse est donnée dans les 24 heures.", "Une réponse est donnée dans les 24 jours.", "weak"],
	["A 24-hour notice is needed.", "A notice of 24 hours is needed.", "supported"],
	["A 24-hours notice is needed, in some days.", "A notice of 24 days is needed.", "weak"],
	["退款需要5个工作日。", "退款需要5个月。", "weak"],
])("compares units and periods: %s, %s", (text, claim, support) => {
	expect(assessSupport(claim, { text })).toBe(support);
});

it.each([
	["Take a minimum of 30 days off.", "Take at least 30 days off.", "supported"],
	["Take a minimum of 30 days off.", "Take a maximum of 30 days off.", "weak"],
	["Bills over $1,000 need an invoice.", "Bills under $1,000 need an invoice.", "weak"],
	["No more than 5 guests may come.", "No fewer than 5 guests may come.", "weak"],
	[
		"Leave is taken within 12 months after the birth.",
		"Leave is taken within 12 months before the birth.",
		"weak",
	],
	["Kinder über 12 Jahre zahlen.", "Kinder unter 12 Jahre zahlen.", "weak"],
])("compares limits: %s, %s", (text, claim, support) => {
	expect(assessSupport(claim, { text })).toBe(support);
});

it.each([
	[
		"The shop is closed from December 23 to January 1.",
		"The shop is closed from 23 December to 1 January.",
		"supported",
	],
	[
		"The shop is closed from December 23 to January 1.",
		"The shop is closed from November 23 to January 1.",
		"weak",
	],
	[
		"The shop is closed from December 23 to January 1.",
		"The shop is closed from January 23 to December 1.",
		"weak",
	],
	["The first version is of 29-Apr-2022.", "The first version is of 29 April 2022.", "supported"],
	["Le budget est renouvelé le 1er février.", "Le budget est renouvelé le 1er mars.", "weak"],
	["The desk is open from Monday to Friday.", "The desk is open on Tuesday.", "supported"],
	["The desk is open from Monday to Friday.", "The desk is open on Sunday.", "weak"],
	["The pool is open November–February.", "The pool is open in January.", "supported"],
	["Der Kurs läuft von Juni bis August.", "Der Kurs läuft im Juli.", "supported"],
	["Das Büro öffnet am Montag um 9 Uhr.", "Das Büro öffnet am Dienstag um 9 Uhr.", "weak"],
	["You may march on 3 May.", "You may march on 3 May.", "supported"],
])("compares days: %s, %s", (text, claim, support) => {
	expect(assessSupport(claim, { text })).toBe(support);
});

it.each([
	[
		"a name in the place of another",
		"Most of it is contained within Brazil, and a tenth of the rest is in Peru.",
		"Most of it is contained within Peru.",
		"weak",
	],
	[
		"the last name of a list",
		"It is sold in Spain, Italy, France and Peru.",
		"It is sold in Peru.",
		"supported",
	],
	[
		"a word in the place of another",
		"The parents first choose the school.",
		"The state first choose the school.",
		"weak",
	],
	[
		"no at the beginning of an answer",
		"The leave begins at once.",
		"No, the leave begins at once.",
		"supported",
	],
	[
		"a negation in another clause",
		"The release moves to March because the tool is not ready.",
		"The release moves to March.",
		"quoted",
	],
])("compares %s", (_, text, claim, support) => {
	expect(assessSupport(claim, { text })).toBe(support);
});

it("looks for what another row of a table says", () => {
	const text = "| Day | Open |\n|---|---|\n| Monday | closed |\n| Tuesday | 9:30 |";
	expect(assessSupport("Tuesday is closed.", { text })).toBe("weak");
	expect(assessSupport("Monday is closed.", { text })).toBe("supported");
});

it("looks in the row that a claim names, and in its column", () => {
	const text =
		"| Plan | Price 2023 | Price 2024 |\n|---|---|---|\n| Team | 20 € | 29 € |\n| Business | 80 € | 99 € |";
	const assess = (claim: string) => assessSupport(claim, { text });
	expect(assess("The price of Team in 2024 is 29 €.")).toBe("supported");
	expect(assess("The price of Team in 2024 is 99 €.")).toBe("weak");
	expect(assess("The price of Team in 2024 is 20 €.")).toBe("weak");
});

it("knows what title and heading say", () => {
	const passage = {
		text: "They take five days.",
		title: "Handbook",
		place: { heading: "Returns › Refunds" },
	};
	expect(assessSupport("Refunds take five days", passage)).toBe("supported");
});
