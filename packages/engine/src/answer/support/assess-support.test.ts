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
