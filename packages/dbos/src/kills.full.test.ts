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

const bin = findPostgres();
const kills = Number(process.env.STEMMA_DURABILITY_KILLS ?? 12);
const seed = Number(process.env.STEMMA_DURABILITY_SEED ?? process.env.STEMMA_SEED ?? 1);

/** Lists points of a run, the first one and others that are the same way apart: as many as there are kills, or all. */
function listPoints(count: number): readonly number[] {
	const apart = Math.max(1, Math.floor(count / kills));
	const second = 2 + (seed % apart);
	const others = Math.max(0, Math.ceil((count - second + 1) / apart));
	return [1, ...Array.from({ length: others }, (_, index) => second + index * apart)];
}

const toRunId = (point: number): string => `run_${point}`;

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

	/** Continues a run to its end, then starts the next one, and is killed at a point of that one. */
	async function finish(runId: string, next?: { readonly runId: string; readonly killAt: number }) {
		const program = startProgram({
			args: [fileURLToPath(new URL("./test-support/crash-program.ts", import.meta.url))],
			env: {
				DATABASE_URL: server.toUrl("postgres", "crash"),
				CALLS_FOLDER: folder,
				RUN_ID: runId,
				...(next !== undefined && { NEXT_RUN_ID: next.runId, KILL_AT: `${next.killAt}` }),
			},
		});
		const [, json = ""] = await program.waitForOutput(/^RESULT (.*)$/m);
		const ended: { readonly points: number; readonly result: RunResult } = JSON.parse(json);
		return { ...ended, signal: (await program.ended).signal };
	}

	/** How often a node was called in all processes. */
	const countCalls = (runId: string, node: string): number =>
		readFileSync(join(folder, runId), "utf8")
			.split("\n")
			.filter((line) => line === node).length;

	it(`ends after a restart, and calls no tool twice, killed at about ${kills} points of it`, async () => {
		const whole = await finish("run_whole", { runId: "run_1", killAt: 1 });
		expect(whole).toMatchObject({
			result: { status: "completed", receipt: [{ attempts: 1 }, { attempts: 1 }] },
			signal: "SIGKILL",
		});
		expect(whole.points).toBeGreaterThan(30);
		const endings = new Map<string, number>();
		const points = listPoints(whole.points);
		for (const [index, at] of points.entries()) {
			const runId = toRunId(at);
			const following = points[index + 1];
			const next = following === undefined ? undefined : { runId: toRunId(following), killAt: following };
			const { result, signal } = await finish(runId, next);
			expect([at, signal]).toEqual([at, next === undefined ? null : "SIGKILL"]);
			for (const node of ["pay", "legal", "note"])
				expect([at, node, countCalls(runId, node)]).toEqual([at, node, expect.toBeOneOf([0, 1])]);
			expect([at, countCalls(runId, "look")]).toEqual([at, expect.toBeOneOf([1, 2])]);
			// The tool in sequence cannot be made up for: its node fails, and so does the run.
			const code = result.error?.code ?? result.status;
			expect([at, code]).toEqual([at, expect.toBeOneOf(["completed", "outcome_unknown"])]);
			endings.set(code, (endings.get(code) ?? 0) + 1);
		}
		expect(endings.get("completed")).toBeGreaterThan(points.length / 2);
		if (points.length === whole.points) expect(endings.get("outcome_unknown")).toBeGreaterThan(0);
	}, 900_000);
});
