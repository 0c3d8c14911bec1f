import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { measureGzip } from "./measure-gzip";

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));
const table: object[] = [];

/** What `size-budgets.json` of a package may take, in bytes: `a, b from ./entry`, or that on top of something else. */
const readBudgets = (name: string): readonly (readonly [string, number])[] =>
	Object.entries(JSON.parse(readFileSync(join(packages, name, "size-budgets.json"), "utf8")));

async function measure(name: string, what: string): Promise<number> {
	const [more = "", base] = what.split(" besides ");
	const size = (...statements: readonly string[]) =>
		measureGzip(statements.map((one) => toProgram(name, one)).join("\n"), join(packages, name));
	return base === undefined ? size(more) : (await size(more, base)) - (await size(base));
}

/** `a, b from ./entry` of this package or one of its files in `dist`, or of another package by its name. */
function toProgram(name: string, statement: string): string {
	const [what = "", entry = ""] = statement.split(" from ");
	const folder = entry.startsWith("./dist/") ? join(packages, name) : `@stemma/${name}`;
	return `export ${what === "*" ? "*" : `{ ${what} }`} from "${entry.replace(/^\./, folder)}";`;
}

const named = readdirSync(packages).filter((name) => existsSync(join(packages, name, "size-budgets.json")));

describe.each(named)("what a page loads of %s", (name) => {
	it.each(readBudgets(name))("%s fits into %i bytes", async (what, budget) => {
		const bytes = await measure(name, what);
		table.push({ package: name, export: what, "bytes (gzip)": bytes, budget });
		expect(bytes).toBeLessThanOrEqual(budget);
		// A budget far above the size guards nothing.
		expect(bytes).toBeGreaterThan(budget / 2);
	});
});

it.each(["errors", "sse"])("core's entry for %s, which needs no schema, brings no zod", (entry) => {
	expect(readFileSync(join(packages, "core", "dist", `${entry}.js`), "utf8")).not.toMatch(/from ["']zod/);
});

afterAll(() => console.table(table));
