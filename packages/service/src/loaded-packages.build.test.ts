import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const ENTRY = new URL("../dist/index.js", import.meta.url).href;
/** Program that prints the packages which an import loads, one a line. */
const LIST_PACKAGES = `
	const names = new Set();
	require("node:module").registerHooks({
		resolve(specifier, context, next) {
			const resolved = next(specifier, context);
			const name = resolved.url.split("/node_modules/").at(-1).match(/^(?:@[^/]+\\/)?[^/]+/u)[0];
			if (resolved.url.includes("/node_modules/")) names.add(name);
			return resolved;
		},
	});
	import(${JSON.stringify(ENTRY)}).then(() => console.log([...names].join("\\n")));
`;

describe("a service that starts", () => {
	it("loads no package that only some documents, sources or calls need", async () => {
		const { stdout } = await promisify(execFile)(process.execPath, ["-e", LIST_PACKAGES]);
		const loaded = stdout.trim().split("\n");
		expect(loaded).toEqual(expect.arrayContaining(["hono", "pino"]));
		const late = [
			"undici",
			"parse5",
			"@lezer/markdown",
			"yauzl",
			"chardet",
			"entities",
			"unpdf",
			"modern-tar",
			"@simplewebauthn/server",
			"openid-client",
			"jose",
		];
		expect(late.filter((name) => loaded.includes(name))).toEqual([]);
	});
});
