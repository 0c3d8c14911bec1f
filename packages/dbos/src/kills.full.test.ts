import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunResult } from "@stemma/core";
import {
	findPostgres,
	type PostgresServer,
	startPostgresServer,
} from "@stemma/simulators/postgres/postgres-server";
import { startProgram } from "@stemma/simulators/processes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("./test-support/crash-program.ts", import.meta.url));
const bin = findPostgres();

describe.skipIf(bin === undefined)("a run whose process is killed (needs Postgres 15)", () => {
	let server: PostgresServer;
	let folder: string;
	beforeAll(async () => {
		server = await startPostgresServer(bin ?? "");
		folder = mkdtempSync(join(tmpdir(), "stemma-dbos-"));
	});
	afterAll(async () => {
		rmSync(folder, { recursive: true, force: true });
		await server.stop();
	});

	const callsFile = (runId: string): string => join(folder, runId);
	const start = (runId: string, killAt: number) =>
		startProgram({
			args: [program],
			env: {
				DATABASE_URL: server.toUrl("postgres", "crash"),
				CALLS_FILE: callsFile(runId),
				RUN_ID: runId,
				KILL_AT: `${killAt}`,
			},
		});

	async function finish(runId: string): Promise<{ readonly points: number; readonly result: RunResult }> {
		const [, json = ""] = await start(runId, 0).waitForOutput(/^RESULT (.*)$/m);
		return JSON.parse(json);
	}

	/** How often a node was called in all processes. */
	const countCalls = (runId: string, node: string): number =>
		readFileSync(callsFile(runId), "utf8")
			.split("\n")
			.filter((line) => line === node).length;

	it("ends after a restart, and calls no tool twice: at every point of it", async () => {
		const whole = await finish("run_whole");
		expect(whole.result).toMatchObject({ status: "completed", receipt: [{ attempts: 1 }, { attempts: 1 }] });
		expect(whole.points).toBeGreaterThan(30);
		const endings = new Map<string, number>();
		for (let at = 1; at <= whole.points; at += 1) {
			const runId = `run_${at}`;
			expect([at, (await start(runId, at).ended).signal]).toEqual([at, "SIGKILL"]);
			const { result } = await finish(runId);
			for (const node of ["pay", "legal", "note"])
				expect([at, node, countCalls(runId, node)]).toEqual([at, node, expect.toBeOneOf([0, 1])]);
			expect([at, countCalls(runId, "look")]).toEqual([at, expect.toBeOneOf([1, 2])]);
			// The tool in sequence cannot be made up for: its node fails, and so does the run.
			const code = result.error?.code ?? result.status;
			expect([at, code]).toEqual([at, expect.toBeOneOf(["completed", "outcome_unknown"])]);
			endings.set(code, (endings.get(code) ?? 0) + 1);
		}
		expect(endings.get("completed")).toBeGreaterThan(whole.points / 2);
		expect(endings.get("outcome_unknown")).toBeGreaterThan(0);
	}, 900_000);
});
