import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";

const folder = new URL("../", import.meta.url);
const budgets = JSON.parse(readFileSync(new URL("size-budgets.json", folder), "utf8")) as Record<
	string,
	number
>;
const table: object[] = [];

/** Bytes of some exports and all that they need, dependencies included, as a browser would load them. */
async function measureGzip(what: string, entry: string): Promise<number> {
	const binding = what === "*" ? "*" : `{ ${what} }`;
	const { outputFiles } = await build({
		stdin: {
			contents: `export ${binding} from "${entry.replace(".", "@stemma/routing")}";`,
			resolveDir: fileURLToPath(folder),
		},
		bundle: true,
		minify: true,
		format: "esm",
		platform: "browser",
		write: false,
		logLevel: "error",
		// Not the sources, which is where the paths of the workspace lead.
		tsconfigRaw: {},
	});
	return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}

test.each(Object.entries(budgets))("%s fits into %i bytes", async (name, budget) => {
	const [what = "", entry = ""] = name.split(" from ");
	const bytes = await measureGzip(what, entry);
	table.push({ export: name, "bytes (gzip)": bytes, budget });
	expect(bytes).toBeLessThanOrEqual(budget);
	// A budget far above the size guards nothing.
	expect(bytes).toBeGreaterThan(budget / 2);
});

afterAll(() => console.table(table));
