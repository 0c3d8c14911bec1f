import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isTerminal } from "@stemma/runs";
import { describeRunStore } from "@stemma/runs/test-support/run-store-contract";
import { build } from "esbuild";
import { afterEach, beforeEach, expect, it } from "vitest";
import { recoverRuns } from "../../../runs/resuming/recover-runs";
import { openRunFile, type RunFile } from "./test-support/run-files";

const KILLS = 6;

let folder: string;
let opened: RunFile[];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-runs-"));
	opened = [];
});
afterEach(async () => {
	for (const file of opened) await file.close();
	rmSync(folder, { recursive: true, force: true });
});

function open(): RunFile {
	const file = openRunFile(join(folder, "runs.db"));
	opened.push(file);
	return file;
}

describeRunStore("a SQLite file", async () => {
	const { repository, createRun } = open();
	return { store: repository, createRun, reopen: async () => open().repository };
});

async function bundleChild(): Promise<string> {
	const outfile = join(folder, "append-until-killed.mjs");
	const entry = fileURLToPath(new URL("./test-support/append-until-killed.ts", import.meta.url));
	await build({
		entryPoints: [entry],
		outfile,
		bundle: true,
		format: "esm",
		platform: "node",
		tsconfig: fileURLToPath(new URL("../../../../../../tsconfig.base.json", import.meta.url)),
	});
	return outfile;
}

/** Lets a process append events until so many were confirmed, kills it, and gives the last of each run. */
async function appendAndKill(program: string, prefix: string, count: number): Promise<Map<string, number>> {
	const confirmed = new Map<string, number>();
	const child = spawn(process.execPath, [program, join(folder, "runs.db"), prefix], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	let lines = 0;
	for await (const line of createInterface({ input: child.stdout })) {
		const [runId = "", seq = "0"] = line.split(" ");
		confirmed.set(runId, Number(seq));
		lines += 1;
		if (lines === count) child.kill("SIGKILL");
	}
	return confirmed;
}

it("has what was confirmed after each kill, without gaps, and each run ends once", async () => {
	const program = await bundleChild();
	const confirmed = new Map<string, number>();
	for (let kill = 0; kill < KILLS; kill++) {
		for (const [runId, seq] of await appendAndKill(program, String(kill), 40 + kill * 37))
			confirmed.set(runId, seq);
		const { repository, log } = open();
		await recoverRuns(repository, log);
		expect(await recoverRuns(repository, log)).toBe(0);
		for (const [runId, seq] of confirmed) {
			const events = await repository.readEvents(runId, 0, 1_000);
			const seqs = events.map((event) => event.seq);
			expect(seqs).toEqual(seqs.map((_, index) => index + 1));
			expect(seqs.length).toBeGreaterThanOrEqual(seq);
			expect(events.filter(isTerminal)).toEqual(events.slice(-1));
			expect(await repository.findHead(runId)).toMatchObject({ lastSeq: seqs.length });
		}
	}
	expect(confirmed.size).toBeGreaterThan(KILLS);
});
