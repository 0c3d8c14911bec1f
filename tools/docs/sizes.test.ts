import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const budgets = (name: string): Readonly<Record<string, number>> =>
	JSON.parse(read(`packages/${name}/size-budgets.json`));

/** Bytes as the pages write them: `16 kB`, `10.2 kB`. */
const toKilobytes = (bytes: number): string => `${bytes / 1000} kB`;

it("the guide tells the sizes that the client is held to", () => {
	const guide = read("docs/client.md");
	const client = budgets("client");
	const held = [
		client["agents, createClient from ."],
		client["Stemma, runtimeAgents from ."],
		client["* from ./dist/browser/index.js"],
		budgets("core")["defineAgent from ."],
		...Object.values(budgets("react")),
	];
	for (const bytes of held) expect(guide).toContain(toKilobytes(bytes ?? 0));
});
