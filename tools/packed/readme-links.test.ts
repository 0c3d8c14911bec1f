import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { findDeadLink, listLinks, REPOSITORY } from "./readme-links";

const root = fileURLToPath(new URL("../..", import.meta.url));
const PAGE = "# Use it\n\n## `a()` and **b**\n";

it("lists links, pictures and references, and nothing of code", () => {
	const page = '[a](b.md#c) ![d](e.svg "f") <img src="g.png">\n[h]: i\n\n```md\n[j](k)\n```\n';
	expect(listLinks(page)).toEqual(["b.md#c", "e.svg", "g.png", "i"]);
});

it.each([
	["https://standardschema.dev", undefined],
	["#a-and-b", undefined],
	[`${REPOSITORY}/blob/main/README.md`, undefined],
	[`${REPOSITORY}/tree/main/packages/client`, undefined],
	[`${REPOSITORY}/blob/main/docs/client.md#errors`, undefined],
	[`${REPOSITORY}/issues`, undefined],
	["../client", "is relative"],
	["docs/client.md", "is relative"],
	["#c", "names no heading"],
	[`${REPOSITORY}/blob/main/docs/nothing.md`, "names no file"],
	[`${REPOSITORY}/blob/main/docs/client.md#nothing`, "names no heading"],
])("says whether %s is dead on npm", (link, problem) => {
	const found = findDeadLink(link, PAGE, root);
	if (problem === undefined) expect(found).toBeUndefined();
	else expect(found).toContain(problem);
});
