import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { explainPlan } from "./explain-plan";
import { planStages } from "./plan-stages";
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

test("every case has a name of its own", () => {
	expect(new Set(NAMED_CASES.map(({ name }) => name)).size).toBe(NAMED_CASES.length);
});
