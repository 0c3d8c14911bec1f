import fc from "fast-check";

/** Values that are seldom right, and sometimes too much. */
const ODD_VALUES: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
	...[null, true, "", "\u0000", "\ud800", "a\u0000b", "💥".repeat(300), "a".repeat(20_000)],
	...[-1, 0, 1.5, 1e308, 2 ** 53, -(2 ** 31)],
	...[[], [[]], {}, { a: { b: {} } }, { ["__proto__"]: 1 }, { constructor: 1 }],
);
const ODD_NAMES = fc.constantFrom(
	"__proto__",
	"constructor",
	"toString",
	"",
	"\u0000",
	"a b",
	"unknown_field",
);

/** Changes one place of a value so that it is probably not allowed any more. */
export function mutate(value: unknown): fc.Arbitrary<unknown> {
	const here = fc.oneof(ODD_VALUES, fc.jsonValue({ maxDepth: 1 }));
	if (Array.isArray(value) && value.length > 0)
		return fc.oneof(
			here,
			fc
				.nat(value.length - 1)
				.chain((index) =>
					mutate(value[index]).map((part) => value.map((item, at) => (at === index ? part : item))),
				),
			fc.constant(new Array(150).fill(value[0])),
		);
	if (typeof value !== "object" || value === null || Array.isArray(value)) return here;
	const names = Object.keys(value);
	const added = fc.tuple(ODD_NAMES, here).map(([name, part]) => ({ ...value, [name]: part }));
	if (names.length === 0) return fc.oneof(here, added);
	const chosen = fc.constantFrom(...names);
	const changed = chosen.chain((name) =>
		mutate((value as Record<string, unknown>)[name]).map((part) => ({ ...value, [name]: part })),
	);
	const removed = chosen.map((name) =>
		Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)),
	);
	return fc.oneof(
		{ weight: 4, arbitrary: changed },
		{ weight: 2, arbitrary: removed },
		{ weight: 2, arbitrary: added },
		{ weight: 1, arbitrary: here },
	);
}
