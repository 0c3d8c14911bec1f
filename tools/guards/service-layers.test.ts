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

/** Ways to reach SQL: a query builder, a statement, a connection, a job in a thread of SQLite. */
const HAS_SQL =
	/\.(?:selectFrom|insertInto|replaceInto|updateTable|deleteFrom)\(|\.transaction\(\)|\bsql`|\bsql<|\.prepare(?:<|\(["`])|from "(?:kysely|node:sqlite)"|\b(?:CREATE|ALTER) TABLE\b|\bPRAGMA \w|\b(?:read|write)Job\(/;
/** Modules that know SQL. What opens stores gives out repositories, and nothing else. */
const KNOWS_SQL =
	/^store\/(sqlite\/(?!open-)|postgres\/(?!open-|inspect-)|repositories\/|worker-threads\/|database|deployment-database|deployment-tables|workspace-tables|jobs?\b|job-file)/;

const toName = (path: string): string => path.slice(ROOT.length);
const listHttpImports = (path: string): string[] =>
	[...(imports.get(path) ?? [])].map(toName).filter((name) => /^(http|routes)\//.test(name));

describe("the service", () => {
	it("knows neither HTTP nor Hono below http/, routes/ and mcp/endpoint", () => {
		const domain = sources.filter(({ path }) => !IS_HTTP.test(toName(path)));
		expect(domain.length).toBeGreaterThan(200);
		const found = domain.flatMap(({ path, text }) => [
			...listHttpImports(path).map((name) => `${toName(path)} imports ${name}`),
			...(KNOWS_HONO.test(text) ? [`${toName(path)} imports Hono`] : []),
		]);
		expect(found, "take a RequestScope, throw a DomainError").toEqual([]);
	});
});

it("modules of the service speak to repositories: SQL is under store/", () => {
	const outside = sources.filter(({ path }) => !toName(path).startsWith("store/"));
	expect(outside.length).toBeGreaterThan(250);
	const found = outside.flatMap(({ path, text }) => [
		...[...(imports.get(path) ?? [])]
			.map(toName)
			.filter((name) => KNOWS_SQL.test(name))
			.map((name) => `${toName(path)} imports ${name}`),
		...(HAS_SQL.test(text) ? [`${toName(path)} has SQL`] : []),
	]);
	expect(found, "take a repository, whose SQL is in store/repositories/").toEqual([]);
});

it("finds what speaks to SQLite", () => {
	for (const text of [
		'database.read.selectFrom("runs")',
		'import { sql } from "kysely";',
		'file.prepare<Row>("SELECT 1")',
		'await database.writeJob("sweep", {})',
		"CREATE TABLE runs (id TEXT)",
	])
		expect(HAS_SQL.test(text)).toBe(true);
	expect(HAS_SQL.test("const prepared = await settings.prepare(body);")).toBe(false);
	expect(HAS_SQL.test('import { runsTable } from "./sql-of-others";')).toBe(false);
	expect(KNOWS_SQL.test("store/sqlite/rotation-files.ts")).toBe(true);
	expect(KNOWS_SQL.test("store/sqlite/open-stores.ts")).toBe(false);
	expect(KNOWS_SQL.test("store/workspace-store.ts")).toBe(false);
});

it("no source files import one another in a circle, for types neither", () => {
	expect(findCycles(imports)).toEqual([]);
});

it("finds what imports Hono", () => {
	expect(KNOWS_HONO.test(parseSource("a.ts", 'import { Hono } from "hono";').text)).toBe(true);
	expect(KNOWS_HONO.test('import { x } from "./hono-like";')).toBe(false);
});
