import { describe, expect, it } from "vitest";
import { checkInput } from "../../validation/check-input";
import { metadataCondition, toSearchFilter } from "./metadata-filter";

const toFilter = (condition: object) =>
	toSearchFilter(checkInput(metadataCondition, condition, "The condition"));
const where = (name: unknown, comparison_operator: string, value?: unknown) => ({
	name,
	comparison_operator,
	...(value !== undefined && { value }),
});

describe("conditions of Dify become a filter", () => {
	it("keeps a name that objects inherit", () => {
		const filter = toFilter({ conditions: [where("__proto__", "is", "b")] });
		expect(Object.entries(filter ?? {})).toEqual([["__proto__", "b"]]);
	});

	it.each<readonly [string, object, object | undefined]>([
		["none", { logical_operator: "and", conditions: [] }, undefined],
		["no list", { conditions: null }, undefined],
		["a text", { conditions: [where("language", "is", "en")] }, { language: "en" }],
		["a number as text", { conditions: [where("year", "=", "2026")] }, { year: 2026 }],
		["a number", { conditions: [where("year", "=", 2026)] }, { year: 2026 }],
		["a name in a list", { conditions: [where(["language"], "is", "en")] }, { language: "en" }],
		[
			"one condition, joined by or",
			{ logical_operator: "or", conditions: [where("a", "is", "b")] },
			{ a: "b" },
		],
		[
			"several, one of them twice",
			{
				logical_operator: "and",
				conditions: [where("a", "is", "b"), where("year", "=", "1"), where("a", "is", "b")],
			},
			{ a: "b", year: 1 },
		],
	])("%s", (_, condition, filter) => {
		expect(toFilter(condition)).toEqual(filter);
	});

	it.each<readonly [string, object]>([
		...[
			"contains",
			"not contains",
			"start with",
			"end with",
			"is not",
			"in",
			"not in",
			"empty",
			"not empty",
			"≠",
			">",
			"<",
			"≥",
			"≤",
			"before",
			"after",
			"made up",
		].map((operator) => [operator, { conditions: [where("a", operator, "b")] }] as const),
		["or", { logical_operator: "or", conditions: [where("a", "is", "b"), where("c", "is", "d")] }],
		["two values of one field", { conditions: [where("a", "is", "b"), where("a", "is", "c")] }],
		["is without a text", { conditions: [where("a", "is")] }],
		["is with a number", { conditions: [where("a", "is", 1)] }],
		["= with a text", { conditions: [where("a", "=", "b")] }],
		["= with an empty text", { conditions: [where("a", "=", " ")] }],
		["= without a number", { conditions: [where("a", "=")] }],
	])("but not %s", (_, condition) => {
		expect(() => toFilter(condition)).toThrow(expect.objectContaining({ code: "unsupported_parameter" }));
	});
});
