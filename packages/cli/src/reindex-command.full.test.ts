import type { ChildProcess } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
	type CommandOutput,
	createTestCli,
	type TestCli,
	waitForExit,
	waitForOutput,
} from "./test-support/command";

let cli: TestCli;
let vendor: OpenAiSimulator;
let service: ChildProcess | undefined;
beforeEach(async () => {
	cli = await createTestCli();
	vendor = await startOpenAiSimulator();
	await serve("small");
	await mkdir(join(cli.folder, "docs"));
	await writeFile(join(cli.folder, "docs/leave.md"), "# Leave\n\nParents get 16 weeks of paid leave.\n");
	expect(await cli.stemma("ingest", "docs", "--kb", "handbook", "--create")).toMatchObject({ code: 0 });
});
afterEach(async () => {
	await stop();
	await vendor.close();
	await cli.close();
});

/** Starts the service with an embedding model, in place of the one before. */
async function serve(model: string): Promise<void> {
	await stop();
	service = cli.start(["serve", "--port", "0"], {
		STEMMA_EMBEDDINGS_BASE_URL: vendor.baseUrl,
		STEMMA_EMBEDDINGS_API_KEY: "sk-of-the-host",
		STEMMA_EMBEDDINGS_MODEL: model,
	});
	await waitForOutput(service, /listens on (\S+)\n/);
}

async function stop(): Promise<void> {
	if (service === undefined) return;
	const ended = waitForExit(service);
	service.kill();
	await ended;
	service = undefined;
}

const reindex = (...args: readonly string[]): Promise<CommandOutput> =>
	cli.stemma("kb", "reindex", "handbook", ...args);

const showBase = (): Promise<CommandOutput> => cli.stemma("kb", "show", "handbook");

it("prints the plan, moves a knowledge base to the model that is configured now, and back", async () => {
	expect(await reindex()).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("already") });
	expect(await showBase()).toMatchObject({
		stderr: "",
		stdout: expect.stringContaining("vectors of small\n"),
	});
	await serve("large");
	expect(await showBase()).toMatchObject({
		stderr: expect.stringContaining("no vectors of small now, so that words alone find passages"),
		stdout: expect.stringContaining("words; its vectors of small are not in use\n"),
	});

	const requestCount = vendor.requests.length;
	const plan = await reindex("--dry-run");
	expect(plan).toMatchObject({ code: 0, stderr: "" });
	expect(plan.stdout).toMatch(/\n {2}now +words, and vectors of small at \S+ \(256 dimensions\)\n/);
	expect(plan.stdout).toMatch(/\n {2}moves to +words, and vectors of large at \S+\n/);
	expect(plan.stdout).toMatch(/\n {2}passages +1 of 1 get a vector\n.*\n {2}payer +the deployment pays: /);
	expect(vendor.requests.length).toBe(requestCount);
	expect((await reindex("--status")).stdout).toContain("It is not moving.");

	const moved = await reindex();
	expect(moved.code).toBe(0);
	expect(moved.stdout).toMatch(/\nMoved 1 passage: they are found by words, and vectors of large at /);
	expect((await reindex("--status")).stdout).toMatch(
		/ status +completed\n.*\n {2}undo moves to +.* of small /,
	);

	await serve("small");
	expect(JSON.parse((await reindex("--undo", "--json")).stdout)).toMatchObject({
		status: "completed",
		from: { model: "small" },
		to: { model: "large" },
	});
	expect(await reindex("--drop")).toMatchObject({
		code: 0,
		stdout: "The former vectors are being deleted.\n",
	});
});

it("ends with 1 where the move pauses, and says why", async () => {
	await serve("large");
	vendor.enqueue({ kind: "failure", status: 401 });
	const paused = await reindex();
	expect(paused.code).toBe(1);
	expect(paused.stdout).toMatch(/\n {2}status +paused\n[\s\S]*\n {2}error +.*\(invalid_credential\)\n/);
	const dropped = await reindex("--drop");
	expect(dropped).toMatchObject({ code: 0, stdout: "The move is cancelled.\n" });
});

it.each([
	[["--to", "none", "--undo"], "not both"],
	[["--status", "--drop"], "stand alone"],
	[["--to", "nine"], 'No vectors of "nine" are made here'],
])("refuses %j", async (args, message) => {
	expect(await reindex(...args)).toMatchObject({
		code: 1,
		stdout: "",
		stderr: expect.stringContaining(message),
	});
});
