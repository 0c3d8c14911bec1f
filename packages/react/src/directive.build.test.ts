import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

it("says that hooks run in the browser, to frameworks that render components on servers", async () => {
	const built = await readFile(new URL("../dist/index.js", import.meta.url), "utf8");
	expect(built).toMatch(/^"use client";\n/);
});
