import { foldCharacters } from "./normalize";

/** Names of the months from January, by language. */
const MONTHS = [
	"january jan januar janner janvier enero gennaio janeiro januari январь января ocak يناير",
	"february feb februar fevrier fevr febrero febbraio fevereiro februari февраль февраля subat فبراير",
	"march mar marz mars marzo marco maart март марта mart مارس",
	"april apr avril abril aprile апрель апреля nisan ابريل",
	"may mai mayo maggio maio mei май мая mayis مايو",
	"june jun juni juin junio giugno junho июнь июня haziran يونيو",
	"july jul juli juillet julio luglio julho июль июля temmuz يوليو",
	"august aug aout agosto augustus август августа agustos اغسطس",
	"september sep sept septembre septiembre settembre setembro сентябрь сентября eylul سبتمبر",
	"october oct oktober okt octobre octubre ottobre outubro октябрь октября ekim اكتوبر",
	"november nov novembre noviembre novembro ноябрь ноября kasim نوفمبر",
	"december dec dezember dez decembre diciembre dicembre dezembro декабрь декабря aralik ديسمبر",
];
const WEEKDAYS = [
	"monday mon montag montags lundi lunes lunedi понедельник pazartesi الاثنين",
	"tuesday tue dienstag dienstags mardi martes martedi вторник sali الثلاثاء",
	"wednesday wed mittwoch mittwochs mercredi miercoles mercoledi среда среду carsamba الاربعاء",
	"thursday thu donnerstag donnerstags jeudi jueves giovedi четверг persembe الخميس",
	"friday fri freitag freitags vendredi viernes venerdi пятница пятницу cuma الجمعة",
	"saturday sat samstag samstags sonnabend samedi sabado sabato суббота субботу cumartesi السبت",
	"sunday sonntag sonntags dimanche domingo domenica воскресенье pazar الاحد",
];

const toEntries = (names: readonly string[], kind: string): [string, string][] =>
	names.flatMap((words, index) =>
		words.split(" ").map((word): [string, string] => [foldCharacters(word), `${kind}${index + 1}`]),
	);

const MONTH_NAMES: ReadonlyMap<string, string> = new Map(toEntries(MONTHS, ""));
const WEEKDAY_NAMES: ReadonlyMap<string, string> = new Map(toEntries(WEEKDAYS, "weekday-"));
/** Other words in small letters: they are names of months in a date alone. */
const AMBIGUOUS = /^(?:may|mar|mars|march|mon|sat|sun|dec|mai|marco|mart|sali|ocak|ekim|mei|wed)$/;

const TOKEN = /\d+|[\p{L}\p{M}]+/gu;
const MAX_DAY = 31;
/** Words that a date may have between its month and its day. */
const JOINT = /^(?:st|nd|rd|th|er|de|of|the|[.])$/;
/** Words between two days of one month. */
const RANGE = /^(?:to|and|or|bis|und|oder|a|au|et|ou|y|e|и)$/;

/** Words between the first and the last of several days or months. */
const SPAN = /^(?:to|through|until|till|bis|a|au|al|ate|hasta|по|до)$/;
/** A dash between two words of letters: `Monday-Friday`. */
const DASH = /(\p{L})\s?[–-]\s?(?=\p{L})/gu;

/** Days that a text names. */
export interface CalendarWords {
	/** `12-24`: month and day. */
	readonly dates: ReadonlySet<string>;
	readonly months: ReadonlySet<string>;
	readonly weekdays: ReadonlySet<string>;
}

/** The days and months of a text, as numbers. @param text - folded, in small letters. */
export function readCalendar(text: string): CalendarWords {
	const tokens = (text.replace(DASH, "$1 to ").match(TOKEN) ?? []).filter((token) => !JOINT.test(token));
	const dates = new Set<string>();
	const months = new Set<string>();
	const weekdays = new Set<string>();
	/** Index behind the last day that belongs to a month. */
	let from = 0;
	for (const [at, token] of tokens.entries()) {
		const weekday = AMBIGUOUS.test(token) ? undefined : WEEKDAY_NAMES.get(token);
		if (weekday !== undefined) weekdays.add(weekday);
		const last = SPAN.test(tokens[at + 1] ?? "") ? tokens[at + 2] : undefined;
		for (const day of listBetween(WEEKDAY_NAMES, token, last)) weekdays.add(day);
		for (const between of listBetween(MONTH_NAMES, token, last)) months.add(between);
		const month = MONTH_NAMES.get(token);
		if (month === undefined) continue;
		const before = readDays(tokens.slice(from, at).reverse());
		const days = before.length > 0 ? before : readDays(tokens.slice(at + 1));
		from = before.length > 0 ? at + 1 : at + 1 + days.length;
		if (days.length > 0 || !AMBIGUOUS.test(token)) months.add(month);
		for (const day of days) dates.add(`${month}-${day}`);
	}
	for (const [, month = "", day = ""] of text.matchAll(/\b\d{4}-(\d\d)-(\d\d)\b/g)) {
		months.add(String(Number(month)));
		dates.add(`${Number(month)}-${Number(day)}`);
	}
	return { dates, months, weekdays };
}

/** Days or months from one to another, both with it; none unless both are such names. */
function listBetween(names: ReadonlyMap<string, string>, first: string, last = ""): readonly string[] {
	const all = [...new Set(names.values())];
	const [from, to] = [first, last].map((name) => all.indexOf(names.get(name) ?? ""));
	if (from === undefined || to === undefined || from === -1 || to === -1) return [];
	return Array.from(
		{ length: ((to - from + all.length) % all.length) + 1 },
		(_, index) => all[(from + index) % all.length] ?? "",
	);
}

/** Days that tokens begin with: one, or the two of a range. */
function readDays([first, next = "", last]: readonly string[]): number[] {
	const day = toDay(first);
	if (day === undefined) return [];
	const end = toDay(RANGE.test(next) ? last : next);
	return end === undefined ? [day] : [day, end];
}

function toDay(token = ""): number | undefined {
	const day = /^\d{1,2}$/.test(token) ? Number(token) : 0;
	return day >= 1 && day <= MAX_DAY ? day : undefined;
}

/** The number or the sign of a word that names a month or a weekday. */
export const toCalendarWord = (word: string): string | undefined =>
	MONTH_NAMES.get(word) ?? WEEKDAY_NAMES.get(word);

/** Checks whether a claim names a day or month that neither a text names, which names others, nor what is around it. */
export const contradictsCalendar = (
	claim: CalendarWords,
	text: CalendarWords,
	around: CalendarWords,
): boolean =>
	(["dates", "months", "weekdays"] as const).some(
		(kind) =>
			text[kind].size > 0 && [...claim[kind]].some((day) => !text[kind].has(day) && !around[kind].has(day)),
	);
