import { describe, expect, it } from "vitest";
import { countBy } from "../language/count-by.ts";
import {
	findAllLanguageViolations,
	findLanguageViolations,
	toTodoKey,
} from "../language/find-language-violations.ts";
import { listExcess, lowerTodo, readTodo } from "../language/todo.ts";
import { parseSource } from "../sources/source-file.ts";

describe("the wording of the code", () => {
	it("keeps the rules on constants, verbs and docstrings, but for the known leftovers", () => {
		const violations = findAllLanguageViolations();
		const excess = new Set(listExcess(countBy(violations, toTodoKey), readTodo("language")));
		const places = violations
			.filter((violation) => excess.has(toTodoKey(violation)))
			.map(({ rule, path, line, message }) => `${rule}: ${path}:${line}: ${message}`);
		expect(places).toEqual([]);
	}, 600_000);
});

const check = (code: string): string[] =>
	findLanguageViolations(parseSource("packages/core/src/file.ts", code)).map(
		({ rule, line }) => `${rule} ${line}`,
	);

describe("the rule on constants", () => {
	it.each(["MOST_TRIES", "LONGEST_PAUSE_MS", "LEAST_KEYS", "SHORTEST_NAME", "FEWEST_ROWS", "LARGEST_BODY"])(
		"refuses %s",
		(name) => {
			expect(check(`\nexport const ${name} = 5;`)).toEqual(["constants 2"]);
		},
	);

	it.each(["MAX_TRIES", "MIN_KEYS", "ALMOST_FULL", "MOST", "mostTries", "Longest"])("allows %s", (name) => {
		expect(check(`export const ${name} = 5;`)).toEqual([]);
	});
});

describe("the rule on verbs", () => {
	it.each([
		"function demandKey() {}",
		"const tellOwner = () => 1;",
		"const hear = function () {};",
		"const run = { goOn() {}, resume() {} };",
		"const run = { takeIn: () => 1 };",
		"class Run { giveUp(): void {} }",
		"interface Run { carryOut(): void }",
		"interface Run { readonly obey: () => void }",
		"export async function tell(): Promise<void> {}",
	])("refuses %s", (code) => {
		expect(check(code)).toEqual(["verbs 1"]);
	});

	it.each([
		"function assertKey() {}",
		"const demand = 5;",
		"const telling = () => 1;",
		"const goOnline = () => 1;",
		"const readOnly = () => 1;",
		"const takeInput = () => 1;",
		"interface Run { readonly tell: string }",
	])("allows %s", (code) => {
		expect(check(code)).toEqual([]);
	});
});

describe("the rule on docstrings", () => {
	it.each([
		"What a client sends.",
		"Whether a key is valid.",
		"Whoever asks.",
		"Of all keys, the newest.",
		"As the client sends it.",
		"Those that are left.",
		"It is closed.",
		"The same for keys.",
		"Nothing, where the key is gone.",
		"… of a key.",
		"How long a key lives, in ms.",
		"Its name.",
		"They end.",
		"For tests.",
	])("refuses %s", (text) => {
		expect(check(`/** ${text} */\nexport const key = 5;`)).toEqual(["docstrings 1"]);
	});

	it.each([
		"Event log of one run.",
		"Resolves the model of a node.",
		"The key of a workspace.",
		"A key.",
		"Keys by their ids.",
		"`POST /v1/ask`: asks.",
		"5 s in milliseconds.",
		"In-memory store.",
		"Italic text.",
	])("allows %s", (text) => {
		expect(check(`/** ${text} */\nexport const key = 5;`)).toEqual([]);
	});

	it("reads every docstring of a file once: of members and methods, too", () => {
		const code = `
/** What it is. */
export interface Key {
	/**
	 * Whether it is valid.
	 *
	 * @deprecated
	 */
	readonly isValid: boolean;
}
/** @internal */
export const x = {
	/** As it was. */
	name: () => 1,
};
// What a comment says.
`;
		expect(check(code)).toEqual(["docstrings 2", "docstrings 4", "docstrings 13"]);
	});
});

describe("a list of leftovers", () => {
	const counts = new Map([
		["verbs client", 3],
		["verbs core", 1],
	]);

	it("lets no number grow, and nothing new in", () => {
		expect(listExcess(counts, { "verbs client": 3 })).toEqual(["verbs core"]);
		expect(listExcess(counts, { "verbs client": 2, "verbs core": 5 })).toEqual(["verbs client"]);
	});

	it("is lowered, and never raised", () => {
		const todo = { "verbs client": 2, "verbs core": 5, "verbs local": 4 };
		expect(lowerTodo(counts, todo)).toEqual({ "verbs client": 2, "verbs core": 1 });
	});
});
