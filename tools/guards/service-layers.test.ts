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

it("no source files import one another in a circle, for types neither", () => {
	expect(findCycles(imports)).toEqual([]);
});

it("finds what imports Hono", () => {
	expect(KNOWS_HONO.test(parseSource("a.ts", 'import { Hono } from "hono";').tree.text)).toBe(true);
	expect(KNOWS_HONO.test('import { x } from "./hono-like";')).toBe(false);
});
