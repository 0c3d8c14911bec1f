import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
	type CoinedName,
	createCoinedNameFinder,
	type FoundName,
	readCoinedNames,
} from "../language/coined-names.ts";
import { countBy } from "../language/count-by.ts";
import {
	listAllNames,
	listNamesOfCode,
	listNamesOfDocument,
	listNamesOfPaths,
} from "../language/list-names.ts";
import { listExcess, readTodo } from "../language/todo.ts";
import { root } from "../sources/list-files.ts";
import { parseSource } from "../sources/source-file.ts";

const entries = readCoinedNames();

const WHAT_TO_DO =
	"use the name on its right in tools/guards/coined-names.json; where the word is the right one, limit its entry there (`kinds`, `where`, `except`), or give the reason in `stays`";

describe("the list of coined names", () => {
	it("has a replacement or a reason to stay for each of at least 400 names", () => {
		const isDecided = (entry: CoinedName): boolean =>
			(entry.new === undefined) !== (entry.stays === undefined);
		expect(entries.filter((entry) => !isDecided(entry) || (entry.new ?? entry.stays) === "")).toEqual([]);
		expect(entries.length).toBeGreaterThanOrEqual(400);
	});

	it("has each name once, or once for each place", () => {
		const keys = countBy(entries, ({ old, kinds, where }) => JSON.stringify([old, kinds, where]));
		expect([...keys].filter(([, count]) => count > 1).map(([key]) => key)).toEqual([]);
	});

	it("has a reason for each exception", () => {
		const isExplained = ({ except = [], because = "" }: CoinedName): boolean =>
			except.length > 0 === (because !== "");
		expect(entries.filter((entry) => !isExplained(entry))).toEqual([]);
	});

	it("is limited to places that there are", () => {
		const paths = entries.flatMap(({ where = [], except = [] }) => [...where, ...except]);
		expect([...new Set(paths)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
	});
});

describe("the repository", () => {
	let names: FoundName[];
	beforeAll(() => {
		names = listAllNames();
	}, 600_000);

	it("uses no coined name but the known leftovers", () => {
		const uses = createCoinedNameFinder(entries)(names);
		const todo = readTodo("coined-names");
		const excess = new Set(
			listExcess(
				countBy(uses, ({ entry }) => entry.old),
				todo,
			),
		);
		const places = uses
			.filter(({ entry }) => excess.has(entry.old))
			.map(({ entry, found }) => `${found.path}:${found.line}: ${found.name} → ${entry.new}`);
		expect(places, WHAT_TO_DO).toEqual([]);
	});

	it("uses the old name at each exception", () => {
		const exceptions = entries.flatMap(({ except = [], because, where, ...entry }) =>
			except.map((path): CoinedName => ({ ...entry, where: [path] })),
		);
		const used = createCoinedNameFinder(exceptions)(names).map(({ entry }) => entry);
		expect(exceptions.filter((entry) => !used.includes(entry))).toEqual([]);
	});

	it("lists no leftover of a name that is not in the list", () => {
		const known = new Set(entries.filter((entry) => entry.new !== undefined).map(({ old }) => old));
		expect(Object.keys(readTodo("coined-names")).filter((old) => !known.has(old))).toEqual([]);
	});
});

describe("this guard", () => {
	const find = createCoinedNameFinder([
		{ old: "demand", new: "assert", match: "words" },
		{ old: "hand over", new: "handoff", match: "words" },
		{ old: "createRooms", new: "createRunSlots" },
		{ old: "rest", new: "idle", kinds: ["string"], where: ["packages/engine/"] },
		{ old: "pages", new: "pagination", kinds: ["file"], except: ["tools/browser/"], because: "web pages" },
		{ old: "scene", new: "context", match: "words" },
		{ old: "passage", stays: "a word of the product", match: "words" },
	]);
	const findInCode = (code: string, path = "packages/engine/src/file.ts"): string[] =>
		find(listNamesOfCode(parseSource(path, code))).map(({ entry }) => entry.old);

	it.each([
		["function demandKey() {}", "demand"],
		["export const demandKey = (value: string) => value;", "demand"],
		["const { key: demanded, demand } = options;", "demand"],
		["const [demand] = list;", "demand"],
		["const send = (demand: string) => 1;", "demand"],
		["interface Demand {}", "demand"],
		["type OnDemand = string;", "demand"],
		["class A { private demandKey(): void {} }", "demand"],
		["class B { readonly demand = 1; }", "demand"],
		["interface C { readonly demand?: string }", "demand"],
		["interface D { demand(): void }", "demand"],
		["enum E { Demand }", "demand"],
		["const f = { demandKey: 1 };", "demand"],
		['const g = { "demand-key": 1 };', "demand"],
		["type H<Demand> = Demand;", "demand"],
		['import { assert as demand } from "./assert.ts";', "demand"],
		["const DEMAND_MS = 5;", "demand"],
		["const isHandOver = true;", "hand over"],
		['const event = { type: "hand_over" };', "hand over"],
		["const createRooms = () => 1;", "createRooms"],
		['const command = { type: "rest" };', "rest"],
	])("sees %s", (code, old) => {
		expect(findInCode(code)).toEqual([old]);
	});

	it.each([
		"const createRoomsOf = 1;",
		"const { first, ...rest } = options;",
		"const passage = readPassage();",
		"const commanded = 1;",
		"// A client may demand a key.\nconst text = 'we demand a key';",
		'import { demand } from "library";',
	])("lets %s be", (code) => {
		expect(findInCode(code)).toEqual([]);
	});

	it("reads strings of sources alone, where the entry holds", () => {
		const code = 'const command = { type: "rest" };';
		expect(findInCode(code, "packages/engine/src/file.test.ts")).toEqual([]);
		expect(findInCode(code, "packages/client/src/file.ts")).toEqual([]);
	});

	it("sees names of files and folders", () => {
		const paths = [
			"packages/core/src/demand-key.test.ts",
			"packages/core/src/hand-over/read.ts",
			"packages/core/src/create-rooms.ts",
			"packages/core/src/pages.ts",
			"tools/browser/pages.ts",
		];
		expect(find(listNamesOfPaths(paths)).map(({ entry, found }) => `${found.path} ${entry.old}`)).toEqual([
			"packages/core/src/demand-key.test.ts demand",
			"packages/core/src/hand-over hand over",
			"packages/core/src/create-rooms.ts createRooms",
			"packages/core/src/pages.ts pages",
		]);
	});

	it("sees code in documents, and no prose", () => {
		const text = [
			"A scene of a demand, in prose.",
			"Call `demandKey(scene)`, or see `create-rooms.ts`.",
			"```ts",
			'const scene = open("a demand in prose"); // a demand of a scene',
			"```",
		].join("\n");
		const found = find(listNamesOfDocument("docs/client.md", text));
		expect(found.map(({ found: { line, name } }) => `${line} ${name}`)).toEqual([
			"2 demandKey",
			"2 scene",
			"2 create-rooms",
			"4 scene",
		]);
	});
});
