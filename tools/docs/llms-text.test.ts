import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { withAbsoluteLinks } from "../../tsup.base";
import { toLlmsText } from "./llms-text";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

it("docs/llms.txt is that of the index: npm run docs writes it", async () => {
	await expect(toLlmsText(read("README.md"), read("docs/README.md"))).toMatchFileSnapshot(
		"../../docs/llms.txt",
	);
});

it("has what the project is, and a line for each page of a task", () => {
	const index = `# Index

## Use it

| you want to | read |
|---|---|
| ask | [The client](client.md), [an example](../examples/node-quickstart) |
`;
	const text = toLlmsText("# Stemma\n\nStemma answers.\n\nMore.\n", index);
	expect(text).toMatch(/^# Stemma\n\n> Stemma answers\.\n/);
	expect(text).toContain(
		"## Use it\n\n- [The client](client.md): ask\n- [an example](https://github.com/stemma-ai/stemma/tree/main/examples/node-quickstart): ask\n",
	);
});

it("leads to the web where a link leaves the guides", () => {
	expect(
		withAbsoluteLinks("[a](../packages/local/README.md#tools-in-code) [b](client.md) [c](../packages/local)"),
	).toBe(
		"[a](https://github.com/stemma-ai/stemma/blob/main/packages/local/README.md#tools-in-code) [b](client.md) [c](https://github.com/stemma-ai/stemma/tree/main/packages/local)",
	);
});
