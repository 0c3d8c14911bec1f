import { describe, expect, it } from "vitest";
import { findCycles } from "../figures/find-cycles";
import { readImports } from "../figures/read-imports";
import { parseSource, readSources } from "../sources/source-file";

const ROOT = "packages/service/src/";
const everySource = readSources();
const sources = everySource.filter(({ path }) => path.startsWith(ROOT));
const imports = new Map([...readImports(everySource)].map(([path, { all }]) => [path, all]));

/** Files that know HTTP. Files at the top put the service together. */
const IS_HTTP = /^(http|routes)\/|^mcp\/endpoint\.ts$|^[^/]+\.ts$/;
const KNOWS_HONO = /from "(hono|@hono)[/"]/;

/** Files that speak to SQLite: the store, what opens it, and areas whose rows are not behind repositories yet. */
const SPEAKS_SQLITE =
	/^(store|a2a|auth|doctor|encryption|runs|workspaces)\/|^(http\/idempotency\/idempotency|routes\/index|routes\/workspace\/audit|routes\/auth\/clients|routes\/auth\/client-keys|settings\/ignored-settings|storage\/sweep-storage)\.ts$|^[^/]+\.ts$/;
const NAMES_SQLITE =
	/^store\/(sqlite\/|threads\/|database|deployment-database|deployment-tables|workspace-tables|jobs?\b|job-file)/;
const HAS_SQL = /from "(?:kysely|node:sqlite)"|\b(?:selectFrom|insertInto|updateTable|deleteFrom)\(/;

const toName = (path: string): string => path.slice(ROOT.length);
const listHttpImports = (path: string): string[] =>
	[...(imports.get(path) ?? [])].map(toName).filter((name) => /^(http|routes)\//.test(name));

describe("the service", () => {
	it("knows neither HTTP nor Hono below http/, routes/ and mcp/endpoint", () => {
		const domain = sources.filter(({ path }) => !IS_HTTP.test(toName(path)));
		expect(domain.length).toBeGreaterThan(200);
		const found = domain.flatMap(({ path, tree }) => [
			...listHttpImports(path).map((name) => `${toName(path)} imports ${name}`),
			...(KNOWS_HONO.test(tree.text) ? [`${toName(path)} imports Hono`] : []),
		]);
		expect(found, "take a RequestScope, throw a DomainError").toEqual([]);
	});
});

it("domain modules of the service speak to repositories: SQL is under store/", () => {
	const domain = sources.filter(({ path }) => !SPEAKS_SQLITE.test(toName(path)));
	expect(domain.length).toBeGreaterThan(150);
	const found = domain.flatMap(({ path, tree }) => [
		...[...(imports.get(path) ?? [])]
			.map(toName)
			.filter((name) => NAMES_SQLITE.test(name))
			.map((name) => `${toName(path)} imports ${name}`),
		...(HAS_SQL.test(tree.text) ? [`${toName(path)} has SQL`] : []),
	]);
	expect(found, "take a repository, whose SQLite side is in store/sqlite/").toEqual([]);
});

it("no source files import one another in a circle, for types neither", () => {
	expect(findCycles(imports)).toEqual([]);
});

it("finds what imports Hono", () => {
	expect(KNOWS_HONO.test(parseSource("a.ts", 'import { Hono } from "hono";').tree.text)).toBe(true);
	expect(KNOWS_HONO.test('import { x } from "./hono-like";')).toBe(false);
});
