import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const guide = read("docs/client.md");

/** The fields of an interface, as its source declares them. */
function listFields(path: string, name: string): readonly string[] {
	const [, body = ""] = new RegExp(`interface ${name} [^{]*{([\\s\\S]*?)\n}`).exec(read(path)) ?? [];
	return [...body.matchAll(/^\treadonly (\w+)\??:/gm)].map(([, field = ""]) => field);
}

/** What the guide's tables of options name in their first column. */
const named = [...guide.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = ""]) =>
	[...cell.matchAll(/`([^`]+)`/g)].map(([, field]) => field),
);

it.each([
	["packages/client/src/options/client-options.ts", "ClientSecretCredential", ""],
	["packages/client/src/options/client-options.ts", "ClientKeyCredential", ""],
	["packages/client/src/options/client-options.ts", "ConnectionOptions", ""],
	["packages/client/src/options/call-options.ts", "CallOptions", ""],
	["packages/client/src/options/call-options.ts", "Timeouts", "timeouts."],
])("the guide names every option of %s: %s", (path, name, prefix) => {
	const fields = listFields(path, name);
	expect(fields.length).toBeGreaterThan(1);
	const missing = fields.filter((field) => !named.includes(`${prefix}${field}`));
	// The table has a line for each deadline instead.
	expect(missing.filter((field) => field !== "timeouts")).toEqual([]);
});
