import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
// biome-ignore lint/style/noRestrictedImports: the lists of the code itself, which no package exports.
import { OPTIONS, toVariable } from "../../packages/runtime/src/command/options";
// biome-ignore lint/style/noRestrictedImports: the lists of the code itself, which no package exports.
import { configurationFileSchema } from "../../packages/service/src/configuration/configuration-file";
// biome-ignore lint/style/noRestrictedImports: the lists of the code itself, which no package exports.
import { findVariable } from "../../packages/service/src/configuration/environment-settings";
import { INTERNAL_CONSTANTS } from "./limits/internal-constants";
import { type LimitConstant, listSources, readConstants, readSource } from "./limits/read-constants";
import { readQuantity, toBaseUnit } from "./limits/read-quantity";
import { type LimitRow, readRefusals, readRows } from "./limits/read-rows";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

// A new limit is a row under "## Limits" of its page: a key of the configuration with its variable (or an option), or
// "fixed" with the name of its constant, `MAX_FILES` or, where several have that name, `routes/knowledge/read-upload-form.ts MAX_FILES`.
// A constant that no caller can meet is filed in limits/internal-constants.ts.

/** Packages whose limits a page may name, the one that it describes first. */
const PAGES = {
	"docs/self-hosting.md": [
		"service",
		"documents",
		"protocol",
		"runs",
		"a2a-server",
		"engine",
		"core",
		"local",
		"routing",
		"telemetry",
	],
	"docs/runtime.md": [
		"runtime",
		"protocol",
		"runs",
		"a2a-server",
		"engine",
		"core",
		"local",
		"client",
		"telemetry",
	],
} as const;

/** Names of constants that bound what somebody else sends, or how long it may take. */
const IS_LIMIT = /(^|_)(MAX|MOST|LONGEST)(_|$)|_TIMEOUT_MS$|_PER_(SECOND|MINUTE|DAY)$/;

/** The packages that a page describes: its server, and what is bundled into it alone. */
const isOwn = (name: string): boolean => ["service", "runtime", "documents"].includes(name);

const CONSTANT = /^([\w/-]+\.ts )?[A-Z][A-Z0-9_]*(\.\w+)*$/;

const internal = Object.values(INTERNAL_CONSTANTS).flat();

/** Tells whether a list names a constant: by its name, or by its file and its name where several have it. */
const names = (entry: string, { name, file }: LimitConstant): boolean =>
	entry === name || (entry.endsWith(` ${name}`) && file.endsWith(`/src/${entry.replace(/ .*/, "")}`));

/** Constants that a row names: those of the page's own package, else those of the packages that it uses. */
function findConstants(entry: string, constants: readonly (readonly LimitConstant[])[]): LimitConstant[] {
	for (const ofPackage of constants) {
		const found = ofPackage.filter((constant) => names(entry, constant));
		if (found.length > 0) return found;
	}
	return [];
}

/** What is at odds between a fixed limit's row and the code. */
function findFixedProblem(
	{ amount, settings }: LimitRow,
	constants: readonly (readonly LimitConstant[])[],
): string | undefined {
	const [entry] = settings;
	if (entry === undefined) return undefined;
	const found = findConstants(entry, constants);
	if (found.length === 0) return `The code has no constant ${entry}.`;
	const wrong = found.find(({ name, value }) => toBaseUnit(name, value) !== readQuantity(amount));
	return wrong && `${wrong.name} is ${wrong.value} in ${wrong.file}.`;
}

describe.each(Object.entries(PAGES))("the limits in %s", (page, packages) => {
	const rows = readRows(read(page));
	const constants = packages.map(readConstants);
	const own = packages.filter(isOwn).flatMap(readConstants);

	it("say what the caller gets, and each limit once", () => {
		expect(rows.length).toBeGreaterThan(5);
		expect(
			rows.filter(
				({ description, amount, refusal }) => description === "" || amount === "" || refusal === "",
			),
		).toEqual([]);
		const entries = rows.flatMap(({ settings: [entry] }) => entry ?? []);
		expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([]);
	});

	it("are fixed at what the code says", () => {
		const fixed = rows.filter(({ isFixed }) => isFixed);
		expect(
			fixed.flatMap((row) => {
				const problem = findFixedProblem(row, constants);
				return problem === undefined ? [] : `${row.description}: ${row.amount}. ${problem}`;
			}),
		).toEqual([]);
		expect(fixed.flatMap(({ settings }) => settings).filter((name) => !CONSTANT.test(name))).toEqual([]);
	});

	it("have every constant of the code that is a limit", () => {
		const listed = rows.flatMap(({ settings }) => settings);
		const limits = own.filter(({ name }) => IS_LIMIT.test(name.split(".")[0] ?? ""));
		expect(limits.length).toBeGreaterThan(3);
		expect(
			limits
				.filter((constant) => ![...listed, ...internal].some((entry) => names(entry, constant)))
				.map(({ name, file, value }) => `${file}: ${name} = ${value}`),
		).toEqual([]);
	});

	it("name codes that the API has, with their status", () => {
		const api = read("docs/http-api.md");
		const refusals = rows.flatMap(({ refusal }) => readRefusals(refusal));
		const unknown = refusals.filter(
			([status, code]) => !new RegExp(`^\\| [\\d, ]*\\b${status}\\b[\\d, ]* \\|.*\`${code}\``, "m").test(api),
		);
		expect(unknown).toEqual([]);
		const text = packages.flatMap(listSources).map(readSource).join("\n");
		const codes = rows.flatMap(({ refusal }) =>
			[...refusal.matchAll(/`([a-z]+(?:_[a-z0-9]+)+)`/g)].map(([, code]) => code),
		);
		expect(codes.filter((code) => !text.includes(`"${code}"`) && !text.includes(`${code}:`))).toEqual([]);
	});
});

it("what is filed as no limit is in the code, once", () => {
	const constants = ["service", "runtime", "documents", "protocol", "runs"].flatMap(readConstants);
	expect(internal.filter((entry) => !constants.some((constant) => names(entry, constant)))).toEqual([]);
	expect(internal.filter((entry, index) => internal.indexOf(entry) !== index)).toEqual([]);
});

describe("limits that the operator sets", () => {
	it("of the service are the keys of the configuration, with their variables and defaults", () => {
		const rows = readRows(read("docs/self-hosting.md")).filter(({ isFixed }) => !isFixed);
		const { properties: { limits } = {} } = configurationFileSchema.toJSONSchema({
			io: "input",
			unrepresentable: "any",
		});
		const keys = listKeys("limits", limits);
		expect(rows.map(({ settings: [key] }) => key).sort()).toEqual(keys.map(({ path }) => path).sort());
		expect(rows.map(toStated).sort(byPath)).toEqual(keys.map(toDeclared).sort(byPath));
	});

	it("of the runtime are its options, with their variables", () => {
		const rows = readRows(read("docs/runtime.md")).filter(({ isFixed }) => !isFixed);
		const options = Object.entries(OPTIONS).flatMap(([name, option]) =>
			"min" in option && name !== "port" ? { name, help: option.help } : [],
		);
		const written = rows.map(({ settings: [option, variable] }) => `${option} ${variable}`);
		expect(written.sort()).toEqual(options.map(({ name }) => `--${name} ${toVariable(name)}`).sort());
		for (const { name, help } of options) {
			const [, stated] = /\(default: (\d+)\)/.exec(help) ?? [];
			const amount = rows.find(({ settings: [option] }) => option === `--${name}`)?.amount ?? "";
			expect([name, readQuantity(amount)]).toEqual([name, stated === undefined ? undefined : Number(stated)]);
		}
	});
});

interface Key {
	readonly path: string;
	readonly value: unknown;
}

interface Stated {
	readonly path: string | undefined;
	readonly variable: string | undefined;
	readonly amount: number | undefined;
}

/** The keys of a JSON Schema and of the objects in it, with their defaults. */
function listKeys(path: string, schema: unknown): Key[] {
	const { properties, default: value } = schema as {
		properties?: Record<string, unknown>;
		default?: unknown;
	};
	if (properties === undefined) return [{ path, value }];
	return Object.entries(properties).flatMap(([name, inner]) => listKeys(`${path}.${name}`, inner));
}

const toStated = ({ amount, settings: [path, variable] }: LimitRow): Stated => ({
	path,
	variable,
	amount: readQuantity(amount),
});

const toDeclared = ({ path, value }: Key): Stated => ({
	path,
	variable: findVariable(path),
	amount: typeof value === "number" ? toBaseUnit(path, value) : undefined,
});

const byPath = (one: Stated, other: Stated): number => (one.path ?? "").localeCompare(other.path ?? "");
