import { describe, expect, it } from "vitest";
import { isTest, readSources } from "../sources/source-file";

const ROOT = "packages/service/src/";

/** Ways to reach SQL: a query builder, a statement, a connection. */
const SQL =
	/\.(?:selectFrom|insertInto|replaceInto|updateTable|deleteFrom)\(|\.transaction\(\)|\bsql`|\bsql<|\.prepare(?:<|\(["`])|from "(?:kysely|node:sqlite)"|\b(?:CREATE|ALTER) TABLE\b|\bPRAGMA \w/;
/** Work that is sent to a thread of SQLite. */
const JOB = /\b(?:read|write)Job\(/;

/** Files outside of `store/` that still speak to SQLite. The list may only shrink. */
const REMAINING: readonly string[] = [
	"a2a/a2a-tables.ts",
	"a2a/decide-task.ts",
	"a2a/push-config-rows.ts",
	"a2a/push-config-store.ts",
	"a2a/push-configs.ts",
	"a2a/task-rows.ts",
	"http/idempotency/idempotency.ts",
	"runs/approvals/approval-rows.ts",
	"runs/approvals/approval-tables.ts",
	"runs/approvals/decide-approval.ts",
	"runs/events/sqlite-run-store.ts",
	"runs/recover-runs.ts",
	"runs/resume-run.ts",
	"runs/run-rows.ts",
	"runs/run-tables.ts",
	"runs/runs.ts",
];

const usesSql = (text: string): boolean => SQL.test(text) || JOB.test(text);

describe("the service", () => {
	it("has its SQL in store/ alone: domain modules speak to repositories", () => {
		const found = readSources()
			.filter(({ path }) => path.startsWith(ROOT) && !path.startsWith(`${ROOT}store/`) && !isTest(path))
			.filter(({ tree }) => usesSql(tree.text))
			.map(({ path }) => path.slice(ROOT.length));
		const added = found.filter((path) => !REMAINING.includes(path));
		expect(added, "move the SQL to store/sqlite/, behind a repository").toEqual([]);
	});

	it("finds what speaks to SQLite", () => {
		for (const text of [
			'database.read.selectFrom("runs")',
			'import { sql } from "kysely";',
			'file.prepare<Row>("SELECT 1")',
			'await database.writeJob("sweep", {})',
			"CREATE TABLE runs (id TEXT)",
		])
			expect(usesSql(text)).toBe(true);
		expect(usesSql("const prepared = await settings.prepare(body);")).toBe(false);
		expect(usesSql('import { runsTable } from "./sql-of-others";')).toBe(false);
	});
});
