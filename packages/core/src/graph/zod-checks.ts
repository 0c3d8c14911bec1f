import type { $ZodCheck, $ZodType } from "zod/v4/core";
import { quote } from "../internal/quote";

/** Information that a check passes to the converter to JSON Schema. */
interface Bag {
	readonly minimum?: number;
	readonly maximum?: number;
	readonly format?: "int";
	readonly patterns?: ReadonlySet<RegExp>;
}

/**
 * A check for zod that brings its own message, which zod's own checks cannot have without a language pack; `find` gives
 * it for a value that does not pass.
 */
function check<Value>(bag: Bag, find: (value: Value) => string | undefined): $ZodCheck<Value> {
	return {
		_zod: {
			def: { check: "custom" },
			onattach: [(schema: $ZodType) => Object.assign(schema._zod.bag, bag)],
			check({ value, issues }) {
				const message = find(value);
				if (message !== undefined) issues.push({ code: "custom", input: value, message });
			},
		},
	};
}

/** One element or character at least, and of text a number of characters at most. */
export const length = (maximum = Number.POSITIVE_INFINITY, minimum = 1): $ZodCheck<string | unknown[]> =>
	check(maximum < Number.POSITIVE_INFINITY ? { minimum, maximum } : { minimum }, (value) => {
		if (value.length < minimum) return "Must not be empty.";
		return value.length > maximum ? `At most ${maximum} characters, got ${value.length}.` : undefined;
	});

/** Neither less nor more. */
export const range = (minimum: number, maximum: number): $ZodCheck<number> =>
	check({ minimum, maximum }, (value) =>
		value < minimum || value > maximum ? `Must be ${minimum} to ${maximum}, got ${value}.` : undefined,
	);

/** A whole number, 1 or more. */
export const count = (): $ZodCheck<number> =>
	check({ minimum: 1, format: "int" }, (value) =>
		Number.isInteger(value) && value >= 1 ? undefined : `Must be a whole number, 1 or more, got ${value}.`,
	);

/**
 * Checks text against a form; `message` says which. `showsValue`: the error shows the text, which must be no secret.
 */
export const pattern = (form: RegExp, message: string, showsValue = true): $ZodCheck<string> =>
	check({ patterns: new Set([form]) }, (value) =>
		form.test(value) ? undefined : `${message}${showsValue ? `, got ${quote(value)}` : ""}.`,
	);
