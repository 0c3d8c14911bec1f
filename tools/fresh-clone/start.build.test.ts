import { type ChildProcess, execFile, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFailed } from "vitest";
import { createClone, CLONE_ENVIRONMENT as env } from "./clone";

let clone: string;
beforeAll(() => {
	clone = createClone();
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

interface Outcome {
	readonly code: number;
	readonly stdout: string;
	readonly stderr: string;
}

function waitForOutput(child: ChildProcess, text: string): Promise<string> {
	let stdout = "";
	return new Promise((resolve, reject) => {
		child.stdout?.on("data", (chunk) => {
			stdout += chunk;
			if (stdout.includes(text)) resolve(stdout);
		});
		child.on("close", () => reject(new Error(`It ended: ${stdout}`)));
	});
}

function npm(...args: string[]): Promise<Outcome> {
	return new Promise((resolve) =>
		execFile("npm", args, { cwd: clone, env }, (error, stdout, stderr) =>
			resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
		),
	);
}

it("npm start sets up a fresh clone and answers; the second one installs and builds nothing", async () => {
	const first = await npm("start", "--", "--once");
	expect(first.stderr).toContain("Installing dependencies");
	expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("16 weeks") });
	expect(first.stdout).toContain("Ingested 75 documents (75 new, ");
	expect(first.stdout).toMatch(/Sources\n {2}\[1\] .*parental-leave\.md › /);
	expect(first.stdout).toMatch(/Receipt\n {2}answer {2}desk/);
	const second = await npm("start", "--", "--once", "What is the monthly wellness reimbursement?");
	expect(second.stderr).not.toMatch(/Installing|Building/);
	expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining("$100") });
	expect(second.stdout).toContain("Ingested 75 documents (0 new, 0 changed, 75 unchanged, ");
});

it("npm start stays up until Ctrl-C, and what it prints to go on with works", async () => {
	const child = spawn("npm", ["start"], { cwd: clone, env, detached: true });
	onTestFailed(() => {
		process.kill(-Number(child.pid), "SIGKILL");
	});
	const stdout = await waitForOutput(child, "Ctrl-C stops both.");
	const [, service = ""] = /^Service {2}(\S+)/m.exec(stdout) ?? [];
	const [, run = "", body = ""] = /^ {2}curl (\S+\/run\/\S+) .* -d '(.*)'$/m.exec(stdout) ?? [];
	const answer = await fetch(run, { method: "POST", headers: { "content-type": "application/json" }, body });
	expect(await answer.json()).toMatchObject({ status: "completed" });
	expect((await fetch(`${service}/healthz`)).status).toBe(200);
	const ended = new Promise((resolve) => child.on("close", resolve));
	// As terminals do: to all processes of the group.
	process.kill(-Number(child.pid), "SIGINT");
	await ended;
	await expect(fetch(`${service}/healthz`)).rejects.toThrow();
});

it("npm start fails when anything failed", async () => {
	rmSync(join(clone, "examples", "handbook", "agent.json"));
	const { code, stderr } = await npm("start", "--", "--once");
	expect(stderr).toContain("examples/handbook/agent.json: There is no such file.");
	expect(code).toBe(1);
});
