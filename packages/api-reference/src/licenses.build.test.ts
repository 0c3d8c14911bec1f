import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

it("the build has the licences of all that it contains", async () => {
	const file = new URL("../../service/dist/api-reference/licenses.md", import.meta.url);
	const text = await readFile(file, "utf8");
	for (const name of ["@scalar/api-reference", "@scalar/components", "@headlessui/vue", "@vue/runtime-core"])
		expect(text).toMatch(new RegExp(`^## ${name} - \\d`, "m"));
});
