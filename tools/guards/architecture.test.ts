import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sections = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").split(/^## /m);

/** The sources of a package, by their paths; tests and what supports them need no caption. */
function listSources(name: string): string[] {
	return readdirSync(join(root, "packages", name, "src"), { recursive: true, encoding: "utf8" })
		.map((path) => path.replaceAll("\\", "/"))
		.filter((path) => path.endsWith(".ts") && !/\.test\.ts$|test-support\/|__/.test(path))
		.sort();
}

/** The captions of a package: path and text. */
function readCaptions(name: string): [string, string][] {
	const section = sections.find((text) => text.startsWith(`packages/${name}:`)) ?? "";
	return [...section.matchAll(/^\| `([^`]+\.ts)` \| (.*) \|$/gm)].map(([, path = "", caption = ""]) => [
		path,
		caption,
	]);
}

describe.each(readdirSync(join(root, "packages")))("ARCHITECTURE.md on packages/%s", (name) => {
	it("has a caption for each file, and for no other", () => {
		const captions = readCaptions(name);
		expect(captions.map(([path]) => path).sort()).toEqual(listSources(name));
		expect(captions.filter(([, caption]) => caption.trim() === "")).toEqual([]);
	});
});
