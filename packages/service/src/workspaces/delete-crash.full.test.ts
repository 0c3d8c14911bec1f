import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { CreatedWorkspace, KnowledgeBase } from "@stemma/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sendTo } from "../test-support/send-request";
import { getBody } from "../test-support/tenant";
import { fetchToken } from "../test-support/test-deployment";

const script = fileURLToPath(new URL("../knowledge/test-support/serve.mjs", import.meta.url));
/** Kills in the middle of a deletion that must have happened, of so many tries at the most. */
const WANTED = 3;
const TRIES = 30;

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-delete-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function serve() {
	const child = spawn(process.execPath, [script, folder], { stdio: ["ignore", "pipe", "inherit"] });
	const exited = once(child, "exit");
	const ended = exited.then(() => Promise.reject(new Error("The service does not start.")));
	const [line] = await Promise.race([once(child.stdout, "data"), ended]);
	ended.catch(() => undefined);
	const { url, credentials } = JSON.parse(String(line));
	const token = await fetchToken(sendTo(fetch, undefined, url), credentials);
	const kill = async () => {
		child.kill("SIGKILL");
		await exited;
	};
	return { url, send: sendTo(fetch, token, url), kill };
}
type Served = Awaited<ReturnType<typeof serve>>;

async function addWorkspace({ send, url }: Served, name: string): Promise<CreatedWorkspace> {
	const made = await getBody<CreatedWorkspace>(send("POST", "/v1/workspaces", { json: { name } }));
	const inside = sendTo(fetch, await fetchToken(sendTo(fetch, undefined, url), made), url);
	const base = await getBody<KnowledgeBase>(inside("POST", "/v1/knowledge-bases", { json: { name } }));
	const text = `The ${name} is open. `.repeat(2000);
	await getBody(inside("POST", `/v1/knowledge-bases/${base.id}/documents`, { json: { text } }));
	return made;
}

/** Kills the service once the deletion is written down; false where it had ended by then. */
async function killWhileDeleting(running: Served, id: string): Promise<boolean> {
	const database = new DatabaseSync(join(folder, "deployment.sqlite"), { readOnly: true, timeout: 30_000 });
	const statement = database.prepare("SELECT deleting_at FROM workspaces WHERE id = ?");
	const answer = running.send("DELETE", `/v1/workspaces/${id}`).catch(() => undefined);
	try {
		for (;;) {
			const row = statement.get(id);
			if (row === undefined) return false;
			if (row.deleting_at !== null) return true;
			await nextTurn();
		}
	} finally {
		await running.kill();
		await answer;
		database.close();
	}
}

const listFiles = async (id: string): Promise<readonly string[]> =>
	(await readdir(join(folder, "workspaces"))).filter((name) => name.includes(id));

function isKnown(id: string): boolean {
	const database = new DatabaseSync(join(folder, "deployment.sqlite"), { readOnly: true });
	const row = database.prepare("SELECT id FROM workspaces WHERE id = ?").get(id);
	database.close();
	return row !== undefined;
}

it("a deletion that was killed half-way is finished by the next start", async () => {
	let running = await serve();
	let caught = 0;
	let leftovers = 0;
	for (let number = 0; caught < WANTED && number < TRIES; number++) {
		const { id, ...credentials } = await addWorkspace(running, `tenant ${number}`);
		if (await killWhileDeleting(running, id)) caught += 1;
		if (isKnown(id)) leftovers += 1;
		running = await serve();
		expect(await listFiles(id)).toEqual([]);
		expect(isKnown(id)).toBe(false);
		expect((await running.send("GET", `/v1/workspaces/${id}`)).status).toBe(404);
		const token = fetchToken(sendTo(fetch, undefined, running.url), credentials);
		await expect(token).rejects.toThrow();
		const { data } = await getBody<{ data: { target: string }[] }>(
			running.send("GET", "/v1/audit?action=workspace.deleted&limit=1"),
		);
		expect(data).toMatchObject([{ target: id, details: { name: `tenant ${number}` } }]);
	}
	await running.kill();
	expect(caught).toBe(WANTED);
	// Without these, the next start would have had nothing to finish.
	expect(leftovers).toBeGreaterThan(0);
});
