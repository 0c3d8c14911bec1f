import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, expect, it } from "vitest";
import { readBlocks } from "./readme";

const root = fileURLToPath(new URL("../..", import.meta.url));
const harness = createHarness();
afterAll(() => harness.end());

/** Times differ, and the second start ingests nothing. */
const mask = (text: string): string =>
	text
		.replace(/\(\d+ new, .* unchanged,/, "(…,")
		.replaceAll(/: \d+ (new|unchanged)$/gm, ": …")
		.replaceAll(/[\d.]+ (m?s)\b */g, "… $1 ");

it("npm start prints what the README shows, and its first quote is the answer", async () => {
	const [, shown] = await readBlocks("Try it");
	const demo = join(root, "scripts", "demo.mjs");
	const { stdout } = await promisify(execFile)(process.execPath, [demo, "--once"], { cwd: root });
	expect(mask(stdout)).toBe(mask(shown?.text ?? ""));
	// Both halves of its question, whatever the README shows.
	const [, firstQuote] = /^Quoted from the documents:\n"(.*)" \[\d+\]$/m.exec(stdout) ?? [];
	expect(firstQuote).toMatch(/full pay.*\b16 weeks/);
});

it("the README shows the graph of npm start, shortened", async () => {
	const blocks = await readBlocks("Stemma");
	const shown = JSON.parse(blocks.find(({ language }) => language === "json")?.text ?? "");
	const agent = JSON.parse(await readFile(join(root, "examples/handbook/agent.json"), "utf8"));
	expect(shown.nodes.length).toBeGreaterThan(2);
	for (const node of shown.nodes) expect(agent.nodes).toContainEqual(expect.objectContaining(node));
	for (const edge of shown.edges) expect(agent.edges).toContainEqual(edge);
});

it("validate prints what the guide shows, of a file with four mistakes", async () => {
	const [, shown] = await readBlocks("An agent file is not valid", "docs/troubleshooting.md");
	const folder = await harness.folder();
	await writeFile(join(folder, "agent.json"), JSON.stringify(WITH_MISTAKES));
	const args = [join(root, "packages/cli/dist/main.js"), "validate", "agent.json"];
	const validate = harness.start({ args, cwd: folder });
	expect(await validate.ended).toMatchObject({ code: 1 });
	expect(shown?.text).toMatch(/^agent\.json:/);
	expect(validate.output()).toContain(shown?.text);
});

const WITH_MISTAKES = {
	nodes: [
		{ id: "desk", kind: "coordinator", maxTurn: 4 },
		{ id: "handbook", kind: "knowledge" },
	],
	edges: [
		{ from: "desk", to: "handbok", mode: "before" },
		{ from: "handbook", to: "desk" },
	],
};
