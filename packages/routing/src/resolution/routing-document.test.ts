import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { explainPlan } from "./explain-plan";
import { planStages } from "./plan-stages";
import { REFUSAL_CODES } from "./resolution";
import { NAMED_CASES } from "./test-support/named-cases";
import { replaceTable, toRoutingTable } from "./test-support/routing-table";

const file = new URL("../../../../docs/routing.md", import.meta.url);

test("docs/routing.md shows what the functions decide", () => {
	const document = readFileSync(file, "utf8");
	const current = replaceTable(document, toRoutingTable(NAMED_CASES));
	if (process.env.UPDATE_DOCS === "1") writeFileSync(file, current);
	else expect(document, "Run this test with UPDATE_DOCS=1 to write the tables anew").toBe(current);
});

test("the example of docs/routing.md prints what is shown below it", () => {
	const document = readFileSync(file, "utf8");
	const [, code = "", shown] = /```js\nimport [^\n]+\n(.+?)```\n\n```\n(.+?)```/s.exec(document) ?? [];
	const printed: string[] = [];
	const run = new Function("explainPlan", "planStages", "console", code);
	run(explainPlan, planStages, { log: (text: string) => printed.push(`${text}\n`) });
	expect(printed.join("")).toBe(shown);
});

test("the codes of refusals are in the order of docs/http-api.md", () => {
	const api = readFileSync(new URL("../../../../docs/http-api.md", import.meta.url), "utf8");
	const [, table = ""] = /\n\| status \| codes \|\n(.+?)\n\n/s.exec(api) ?? [];
	const named = [...table.matchAll(/`(\w+)`/g)].map(([, code = ""]) => code);
	const codes: readonly string[] = REFUSAL_CODES;
	expect([...new Set(named.filter((code) => codes.includes(code)))]).toEqual(codes);
});

test("docs/routing.md explains every refusal, in their order", () => {
	const [, section = ""] = /\n## Refusals\n(.+?)\n## /s.exec(readFileSync(file, "utf8")) ?? [];
	expect([...section.matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code)).toEqual(REFUSAL_CODES);
});

test("every case has a name of its own", () => {
	expect(new Set(NAMED_CASES.map(({ name }) => name)).size).toBe(NAMED_CASES.length);
});
