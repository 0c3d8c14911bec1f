import { toNumberOfWord, toScaledValue } from "./numbers";
import { toUnit } from "./units";

/** Number with what it counts, and the side on which a limit is. */
export interface Quantity {
	readonly value: string;
	readonly unit: string | undefined;
	/** `least` and `most`: limits of an amount; `before` and `after`: limits in time. */
	readonly limits: readonly Limit[];
}

type Limit = "least" | "most" | "before" | "after";

const OPPOSITES: Readonly<Record<Limit, Limit>> = {
	least: "most",
	most: "least",
	before: "after",
	after: "before",
};

const TOKEN = /\d+(?:[.,' \u00a0\u202f]\d{3}(?!\d))*(?:[.,:]\d+)*|[\p{L}\p{M}]+|[%$€£¥₽₺–-]/gu;
/** Word or dash between the two ends of a range: both have the unit of the second. */
const RANGE = /^(?:[–-]|to|and|or|bis|und|oder|a|et|ou|y|e|до|и|или|至|到)$/;
/** Words between a number and its unit: `5 working days`. */
const BETWEEN =
	/^(?:us|k|thousand|tausend|mille|millions?|millionen|mio|billions?|milliarden?|milliards?|working|business|calendar|full|consecutive|whole|volle|vollen|aufeinanderfolgende|ganze|full)$/;

/** Word that a hyphen joins to a number: the unit of `24-hour`, and not the second end of `7-10 days`. */
const HYPHENATED = /^\p{L}/u;

/** Words right before a number, the more special wording first. */
const BEFORE_NUMBER: readonly (readonly [Limit | undefined, RegExp])[] = (
	[
		[undefined, "(?:more|mehr|plus|mas) (?:or|oder|ou|o) (?:less|weniger|moins|menos)(?: than| als| de)?"],
		[
			"most",
			"(?:no|not|nicht|pas|no) (?:more|later|longer|greater|higher|mehr|langer|plus|mas) (?:than|als|de|que)",
		],
		["least", "(?:no|not|nicht|pas|no) (?:less|fewer|earlier|weniger|moins|menos) (?:than|als|de|que)"],
		[
			"least",
			"at least|mindestens|wenigstens|au moins|al menos|almeno|не менее|en az|至少|不少于|少なくとも",
		],
		[
			"most",
			"at most|hochstens|maximal|au plus|au maximum|como maximo|al massimo|up to|bis zu|jusqu'a|hasta|fino a|не более|до|en fazla|最多|不超过|最大",
		],
		["least", "minimum(?: of| von| de)?(?: \\p{L}+)?|min\\.?"],
		["most", "maximum(?: of| von| de)?(?: \\p{L}+)?|max\\.?"],
		[
			"most",
			"(?:less|fewer|younger|shorter|smaller|lower|cheaper) than|weniger als|junger als|kurzer als|moins de|menos de|meno di|under|below|unter|inferieure?s? a|менее",
		],
		[
			"least",
			"(?:more|older|longer|larger|greater|higher|bigger) than|mehr als|alter als|langer als|plus de|mas de|piu di|over|above|exceed(?:s|ing)?|uber|superieure?s? a|depasse\\w*|более|свыше|超过",
		],
		["before", "before|until|prior to|vor|avant|antes de|prima de\\w*|до"],
		["after", "after|since|following|starting|nach|seit|apres|depuis|despues de|dopo|после"],
	] as const
).map(([limit, words]) => [limit, new RegExp(`(?<!\\p{L})(?:${words})[\\s$€£]*$`, "u")] as const);

/** Words right behind a quantity. */
const BEHIND: readonly (readonly [Limit, RegExp])[] = (
	[
		["least", "(?:or|oder|ou|o) (?:more|older|mehr|alter|plus|mas)|minimum|以上"],
		["most", "(?:or|oder|ou|o) (?:less|fewer|younger|weniger|moins|menos)|maximum|以下|以内"],
		["before", "(?:\\p{L}+ly )?(?:before|prior|preceding|in advance|vor|vorher|avant)"],
		["after", "(?:\\p{L}+ly )?(?:after|following|later|nach|danach|apres)"],
	] as const
).map(([limit, words]) => [limit, new RegExp(`^[\\s,]*(?:${words})(?![\\p{L}])`, "u")] as const);

const MAX_CHARACTERS_AROUND = 40;

/** The numbers of a text with their units and limits. @param text - folded, in small letters. */
export function readQuantities(text: string): readonly Quantity[] {
	const tokens = [...text.matchAll(TOKEN)];
	const words = tokens.map(([word]) => word);
	return tokens.flatMap(({ 0: token, index }, at) => {
		const value = /^\d/.test(token)
			? toScaledValue(token, text.slice(index + token.length, index + token.length + MAX_CHARACTERS_AROUND))
			: toNumberOfWord(token);
		if (value === undefined) return [];
		const found = findUnit(words, at);
		const last = tokens[found.last];
		const end = last === undefined ? index + token.length : last.index + last[0].length;
		return [{ value, unit: found.unit, limits: readLimits(text, index, end) }];
	});
}

interface FoundUnit {
	readonly unit: string | undefined;
	/** Index of the last token of the quantity. */
	readonly last: number;
}

function findUnit(tokens: readonly string[], at: number): FoundUnit {
	const sign = toUnit(tokens[at - 1] ?? "");
	const next = tokens[at + 1] ?? "";
	if (sign !== undefined && !PERIOD.test(sign)) return { unit: sign, last: at };
	const isHyphenated = next === "-" && HYPHENATED.test(tokens[at + 2] ?? "");
	const last = BETWEEN.test(next) || isHyphenated ? at + 2 : at + 1;
	const unit = toUnit(tokens[last] ?? "");
	if (unit !== undefined) return { unit, last };
	const isRange = RANGE.test(next) && isNumber(tokens[at + 2]);
	return isRange ? { unit: findUnit(tokens, at + 2).unit, last: at } : { unit: undefined, last: at };
}

/** Units that are behind their number alone. */
const PERIOD = /^(?:second|minute|hour|day|week|month|quarter|year)$/;

const isNumber = (token = ""): boolean => /^\d/.test(token) || toNumberOfWord(token) !== undefined;

function readLimits(text: string, start: number, end: number): Limit[] {
	const before = text.slice(Math.max(0, start - MAX_CHARACTERS_AROUND), start);
	const behind = text.slice(end, end + MAX_CHARACTERS_AROUND);
	const first = BEFORE_NUMBER.find(([, pattern]) => pattern.test(before));
	const second = BEHIND.find(([, pattern]) => pattern.test(behind));
	return [first, second].flatMap((found) => found?.[0] ?? []);
}

/**
 * Checks whether a text has a quantity of a claim with another unit alone, or with the opposite limit alone. What the
 * text does not have, or has without a unit, is no contradiction.
 */
export function contradictsQuantity(claim: Quantity, all: readonly Quantity[]): boolean {
	const same = all.filter(({ value }) => value === claim.value);
	const withUnit = same.filter(({ unit }) => unit !== undefined);
	if (claim.unit !== undefined && withUnit.length > 0 && !withUnit.some(({ unit }) => unit === claim.unit))
		return true;
	return claim.limits.some(
		(limit) =>
			!same.some(({ limits }) => limits.includes(limit)) &&
			same.some(({ limits }) => limits.includes(OPPOSITES[limit])),
	);
}
