import { format as formats } from "@cfworker/json-schema";
import type { Json } from "@stemma/core";
import type { StepBudget } from "./budget";
import { spendPatternCost } from "./compile-pattern";
import { type Keyword, type KeywordContext, report, testPattern, toCount } from "./keyword-context";

/** Longer text has no format. Formats are checked by regular expressions, in time that is linear in this. */
const MAX_FORMAT_CHARACTERS = 64 * 1024;
/** Text of the format `regex`: compiling an expression takes longer than matching one. */
const MAX_REGEX_CHARACTERS = 8 * 1024;

const ofNumber =
	(check: (value: number, limit: number, budget: StepBudget) => string | undefined): Keyword =>
	(context, argument) => {
		const { value, run } = context;
		const problem =
			typeof value === "number" && typeof argument === "number"
				? check(value, argument, run.budget)
				: undefined;
		return problem === undefined || report(context, () => problem);
	};

const ofText =
	(check: (context: KeywordContext, value: string, argument: Json) => string | undefined): Keyword =>
	(context, argument) => {
		const { value } = context;
		const problem = typeof value === "string" ? check(context, value, argument) : undefined;
		return problem === undefined || report(context, () => problem);
	};

/** Characters of a text, as Unicode counts them. */
function countCharacters({ run }: KeywordContext, text: string): number {
	run.budget.spend(text.length >> 4);
	let count = text.length;
	for (let at = 0; at < text.length - 1; at++)
		if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) count--;
	return count;
}

function checkFormat({ run }: KeywordContext, value: string, name: Json): string | undefined {
	if (typeof name !== "string" || !Object.hasOwn(FORMATS, name)) return undefined;
	run.budget.spend(value.length);
	if (name === "regex") spendPatternCost(value, run.budget);
	if (value.length <= MAX_FORMAT_CHARACTERS && FORMATS[name]?.(value) === true) return undefined;
	return `String does not match format "${name}".`;
}

/**
 * Formats by name. `url` is replaced by `uri`: its own pattern backtracks without bound, and it is not a format of JSON
 * Schema.
 */
const FORMATS: Readonly<Record<string, ((value: string) => boolean) | undefined>> = {
	...formats,
	url: formats.uri,
	regex: (value) => value.length <= MAX_REGEX_CHARACTERS && formats.regex?.(value) === true,
};

/** Keywords of numbers and texts. */
export const SCALAR_KEYWORDS: readonly (readonly [string, Keyword])[] = [
	["minimum", ofNumber((value, limit) => (value < limit ? `${value} is less than ${limit}.` : undefined))],
	["maximum", ofNumber((value, limit) => (value > limit ? `${value} is greater than ${limit}.` : undefined))],
	[
		"exclusiveMinimum",
		ofNumber((value, limit) => (value <= limit ? `${value} is less than ${limit}.` : undefined)),
	],
	[
		"exclusiveMaximum",
		ofNumber((value, limit) =>
			value >= limit ? `${value} is greater than or equal to ${limit}.` : undefined,
		),
	],
	[
		"multipleOf",
		ofNumber((value, divisor, budget) =>
			isMultipleOf(value, divisor, budget) ? undefined : `${value} is not a multiple of ${divisor}.`,
		),
	],
	[
		"minLength",
		ofText((context, value, limit) => {
			const length = countCharacters(context, value);
			return length < toCount(limit, 0) ? `String is too short (${length} < ${limit}).` : undefined;
		}),
	],
	[
		"maxLength",
		ofText((context, value, limit) => {
			const length = countCharacters(context, value);
			return length > toCount(limit, Number.POSITIVE_INFINITY)
				? `String is too long (${length} > ${limit}).`
				: undefined;
		}),
	],
	[
		"pattern",
		ofText(({ run }, value, pattern) =>
			typeof pattern !== "string" || testPattern(run, pattern, value)
				? undefined
				: "String does not match pattern.",
		),
	],
	["format", ofText(checkFormat)],
];

/** Exact, also for fractions: 0.3 is a multiple of 0.1. */
function isMultipleOf(value: number, divisor: number, budget: StepBudget): boolean {
	if (!Number.isFinite(value) || !Number.isFinite(divisor) || divisor <= 0) return false;
	const [digits, exponent] = toDecimal(value);
	const [divisorDigits, divisorExponent] = toDecimal(divisor);
	const difference = exponent - divisorExponent;
	// Digits of the larger number.
	budget.spend(Math.abs(difference));
	if (difference >= 0) return (digits * 10n ** BigInt(difference)) % divisorDigits === 0n;
	return digits % (divisorDigits * 10n ** BigInt(-difference)) === 0n;
}

/** Digits of a number without its point, and the exponent of ten for the last one. */
function toDecimal(value: number): readonly [bigint, number] {
	const [coefficient = "0", exponent = "0"] = Math.abs(value).toString().split("e");
	const [, fraction = ""] = coefficient.split(".");
	return [BigInt(coefficient.replace(".", "")), Number(exponent) - fraction.length];
}
