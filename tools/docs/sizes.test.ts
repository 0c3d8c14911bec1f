import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const budgets = (name: string): readonly number[] =>
	Object.values(JSON.parse(read(`packages/${name}/size-budgets.json`)) as Record<string, number>);

/** Bytes as the pages write them: `16 kB`, `10.2 kB`. */
const toKilobytes = (bytes: number): string => `${bytes / 1000} kB`;

it("the guide tells the sizes that the client is held to", () => {
	const guide = read("docs/client.md");
	const [run = 0, , all = 0] = budgets("client");
	const [react = 0] = budgets("react");
	for (const bytes of [run, all, react]) expect(guide).toContain(toKilobytes(bytes));
});
