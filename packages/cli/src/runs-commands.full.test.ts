import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Stemma } from "@stemma/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	type CommandOutput,
	createTestCli,
	type TestCli,
	waitForExit,
	waitForOutput,
} from "./test-support/command";

let cli: TestCli;
let service: ChildProcess;
let client: Stemma;
beforeAll(async () => {
	cli = await createTestCli();
	service = cli.start(["serve", "--port", "0"]);
	const [, url = ""] = await waitForOutput(service, /listens on (\S+)\n/);
	const file = join(cli.folder, "stemma-data/first-credentials.json");
	const { client_id, client_secret } = JSON.parse(await readFile(file, "utf8"));
	client = new Stemma({ baseUrl: url, clientId: client_id, clientSecret: client_secret });
	await client.agents.create({ slug: "careful", graph: GRAPH });
});
afterAll(async () => {
	service.kill();
	await waitForExit(service);
	await cli.close();
});

const runs = (...args: readonly string[]): Promise<CommandOutput> => cli.stemma("runs", ...args);

/** Two agents of others that are asked for before they are run. */
const GRAPH = {
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "partner", kind: "remote", url: "https://partner.example", approval: true },
		{ id: "press", kind: "remote", url: "https://press.example", approval: true },
	],
	edges: [
		{ from: "desk", to: "partner", mode: "before" },
		{ from: "desk", to: "press", mode: "before" },
	],
} as const;

async function startPaused(): Promise<{ readonly id: string; readonly approvals: readonly string[] }> {
	const { run_id, status, approvals = [] } = await client.agents.run("careful", { input: "Order A1" });
	expect(status).toBe("paused");
	return { id: run_id, approvals: approvals.map(({ id }) => id) };
}

describe("stemma runs", () => {
	it("shares a run that has ended, lists its links, and revokes one", async () => {
		const { id } = await startPaused();
		const early = await runs("share", id);
		expect(early).toMatchObject({ code: 1, stdout: "" });
		expect(early.stderr).toContain("has not ended");
		await client.runs.cancel(id);
		const { stdout, stderr, code } = await runs("share", id, "--show", "input,steps", "--hours", "2");
		expect(code).toBe(0);
		expect(stdout).toMatch(/^http:\/\/localhost:\d+\/#shared=sh_[\w-]{43}\n$/);
		expect(stderr).toMatch(/sees input, steps of the run, until .*"stemma runs unshare shr_\w+" revokes it/);
		const token = new URL(stdout.trim()).hash.replace("#shared=", "");
		expect(await client.runs.shares.open(token)).toMatchObject({ input: "Order A1", status: "cancelled" });
		const listed = await runs("shares", "--run", id);
		const [, share = ""] = /^ {2}(shr_\w+) +run_\w+ +input,steps /m.exec(listed.stdout) ?? [];
		expect(await runs("unshare", share)).toMatchObject({ code: 0, stdout: expect.stringContaining(share) });
		await expect(client.runs.shares.open(token)).rejects.toMatchObject({ code: "share_not_found" });
		expect((await runs("shares", "--run", id)).stdout).toContain("There are no valid links.");
		const wrong = await runs("share", id, "--show", "answer");
		expect(wrong.stderr).toContain("Parts are input, output, links, steps, tools, receipt.");
	});

	it("lists runs, and shows what one waits for, with the command lines that decide on it", async () => {
		const { id, approvals } = await startPaused();
		const listed = await runs("list", "--status", "paused", "--agent", "careful", "--limit", "1");
		expect(listed.stdout).toMatch(/^ {2}ID +AGENT +STATUS +STARTED +ENDED\n/);
		expect(listed.stdout).toMatch(new RegExp(`\n  ${id}  careful \\(version 1\\)  paused  \\S+Z\n$`));
		const shown = await runs("show", id);
		expect(shown.code).toBe(0);
		expect(shown.stdout).toContain(
			'\nWaits for approvals\n  https://partner.example (partner)\n    input: "Order A1"\n    1 argument, 20 characters, all shown\n',
		);
		expect(shown.stdout).toContain(`: stemma runs approve ${id} ${approvals[1]}\n`);
		const json = JSON.parse((await runs("show", id, "--json")).stdout);
		expect(json).toMatchObject({ id, status: "paused", result: { approvals: [{}, {}] } });
		await client.runs.cancel(id);
	});

	it("denies with a reason, once", async () => {
		const { id, approvals } = await startPaused();
		const [first = ""] = approvals;
		const several = await runs("deny", id);
		expect(several).toMatchObject({ code: 1, stdout: "" });
		expect(several.stderr).toContain(
			"waits for 2 approvals: name the one that you have read.\nhint:  Read the call, then:\n  https://partner.example",
		);
		expect(several.stderr).toContain(`: stemma runs deny ${id} ${first}\n`);
		const denied = await runs("deny", id, first, "--reason", "Over the limit.");
		expect(denied).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(
				/^Denied: https:\/\/partner\.example \(partner\)\n {2}input: "Order A1"\n.*\nThe run is \w+\.\n$/,
			),
		});
		const again = await runs("approve", id, first);
		expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`"stemma runs show <run>"`) });
		await expect
			.poll(async () => (await client.runs.get(id)).result?.error?.message)
			.toContain("Over the limit.");
		expect((await runs("show", id)).stdout).toContain("approval_denied: ");
	});

	it("approves the calls alone that are named", async () => {
		const { id, approvals } = await startPaused();
		const [first = "", second = ""] = approvals;
		await runs("deny", id, first);
		await expect.poll(async () => (await client.runs.get(id)).status).not.toBe("running");
		const unnamed = await runs("approve", id);
		expect(unnamed.code).toBe(1);
		const { status, result } = await client.runs.get(id);
		expect([status, result?.approvals?.map(({ id }) => id) ?? []]).toEqual(
			status === "paused" ? ["paused", [second]] : [status, []],
		);
	});

	it("cancels", async () => {
		const { id } = await startPaused();
		expect(await runs("cancel", id)).toMatchObject({ code: 0, stdout: "The run is cancelled.\n" });
		const nothing = await runs("approve", id);
		expect(nothing.stderr).toContain(`The run ${id} waits for no approval.`);
	});

	it.each([
		["a run that is not there", ["show", "run_nope"], '"stemma runs list" lists the runs'],
		["a status that is none", ["list", "--status", "done"], "running, paused, completed"],
		["a command that is none", ["stop"], "unknown command 'stop'"],
	])("refuses %s", async (_, args, message) => {
		const { code, stderr } = await runs(...args);
		expect(stderr).toContain(message);
		expect(stderr).not.toMatch(/^\s+at /m);
		expect(code).toBe(1);
	});
});
