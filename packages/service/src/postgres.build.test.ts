import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Answer, KnowledgeBase } from "@stemma/client";
import {
	findPostgres,
	type PostgresServer,
	startPostgresServer,
} from "@stemma/simulators/postgres/postgres-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgresSession } from "./store/postgres/connection/postgres-pool";
import { type SendRequest, sendTo } from "./test-support/send-request";
import { getBody } from "./test-support/tenant";
import { fetchToken } from "./test-support/test-deployment";

const program = fileURLToPath(new URL("../../cli/dist/main.js", import.meta.url));
const bin = findPostgres();

let server: PostgresServer;
let folder: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "stemma-postgres-service-"));
	if (bin === undefined) return;
	server = await startPostgresServer(bin);
	const admin = await openPostgresSession(server.toUrl("postgres", "postgres"));
	await admin.query("create role owner login; create role app login; create role reader login bypassrls");
	await admin.query("grant pg_read_all_data to reader");
	for (const name of ["stemma", "restored"]) await admin.query(`create database ${name} owner owner`);
	await admin.close();
});
afterAll(async () => {
	for (const child of children) await kill(child);
	await server?.stop();
	rmSync(folder, { recursive: true, force: true });
});

const toEnvironment = (database = "stemma"): NodeJS.ProcessEnv => ({
	...process.env,
	STEMMA_DATABASE_URL: server.toUrl("app", database),
	STEMMA_DATABASE_OWNER_URL: server.toUrl("owner", database),
	STEMMA_DATABASE_BACKUP_URL: server.toUrl("reader", database),
	POSTGRES_BIN: bin,
	STEMMA_LISTEN_PORT: "0",
	STEMMA_LOG_LEVEL: "silent",
});

/** Runs a command of the built program to its end. */
const run = (data: string, ...args: readonly string[]) =>
	spawnSync(process.execPath, [program, ...args, "--data", join(folder, data)], {
		cwd: folder,
		env: toEnvironment(),
		encoding: "utf8",
	});

/** Starts the built program, and waits for its address. */
async function serve(
	data: string,
	database?: string,
): Promise<{ readonly child: ChildProcess; readonly url: string; readonly send: SendRequest }> {
	const child = spawn(process.execPath, [program, "serve", "--data", join(folder, data)], {
		cwd: folder,
		env: toEnvironment(database),
		stdio: ["ignore", "ignore", "pipe"],
	});
	children.push(child);
	let output = "";
	for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
		output += String(chunk);
		const [, url] = /listens on (http:\S+)/.exec(output) ?? [];
		if (url === undefined) continue;
		child.stderr.resume();
		const credentials = JSON.parse(readFileSync(join(folder, "data/first-credentials.json"), "utf8"));
		const token = await fetchToken(sendTo(fetch, undefined, url), credentials);
		return { child, url, send: sendTo(fetch, token, url) };
	}
	throw new Error(output);
}

async function kill(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	child.kill("SIGKILL");
	await once(child, "exit");
}

const ask = (send: SendRequest, knowledgeBase: string) =>
	getBody<Answer>(
		send("POST", "/v1/ask", {
			json: { question: "How many lamps does the lighthouse have?", knowledge_base_ids: [knowledgeBase] },
		}),
	);

/** Adds a knowledge base with one document, and waits until it is found. */
async function addHandbook(send: SendRequest): Promise<string> {
	const { id } = await getBody<KnowledgeBase>(
		send("POST", "/v1/knowledge-bases", { json: { name: "handbook" } }),
	);
	const document = {
		title: "Lamps",
		format: "markdown",
		text: "# Lamps\n\nThe lighthouse has seven lamps.",
	};
	await getBody(send("POST", `/v1/knowledge-bases/${id}/documents`, { json: document }));
	await expect.poll(async () => (await ask(send, id)).answer).toContain("seven lamps");
	return id;
}

it.skipIf(bin === undefined)(
	"a service keeps everything in Postgres, for all its instances, also when one is killed",
	async () => {
		const first = await serve("data");
		const id = await addHandbook(first.send);
		const before = await ask(first.send, id);

		const second = await serve("other");
		expect((await ask(second.send, id)).answer).toBe(before.answer);
		const doctor = run("data", "doctor", "--json");
		expect([doctor.status, doctor.stderr, doctor.stdout]).toEqual([
			0,
			"",
			expect.stringContaining('"is_served":true'),
		]);
		expect(run("data", "login-link", "--url", "http://127.0.0.1:4000").stdout).toContain(
			"http://localhost:4000/#sign-in=",
		);
		const upgrade = run("data", "upgrade");
		expect([upgrade.status, upgrade.stderr]).toEqual([1, expect.stringContaining("not in a data folder")]);

		await kill(first.child);
		expect((await ask(second.send, id)).answer).toBe(before.answer);
		const again = await serve("data");
		expect((await ask(again.send, id)).answer).toBe(before.answer);
		await kill(again.child);
	},
);

it.skipIf(bin === undefined)(
	"an instance that stops refuses what comes on connections that are open",
	async () => {
		const { child, url } = await serve("data");
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		const answer = await sendOn(agent, url);
		expect(answer.statusCode).toBe(401);
		child.kill("SIGTERM");
		await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { interval: 10 }).toBe(503);
		const refusal = await sendOn(agent, url);
		expect([refusal.statusCode, refusal.headers["retry-after"], refusal.headers.connection]).toEqual([
			503,
			"5",
			"close",
		]);
		await once(child, "exit");
		expect(child.exitCode).toBe(0);
		agent.destroy();
	},
);

/** Sends a request on the one connection of an agent. */
async function sendOn(agent: Agent, url: string): Promise<IncomingMessage> {
	const sent = request(`${url}/v1/agents`, { agent });
	sent.end();
	const [response] = (await once(sent, "response")) as [IncomingMessage];
	response.resume();
	await once(response, "end");
	return response;
}

describe.skipIf(bin === undefined)("stemma backup and restore on Postgres", () => {
	const start = (command: readonly string[], environment: NodeJS.ProcessEnv) =>
		spawn(process.execPath, [program, ...command], { cwd: folder, env: environment, stdio: "pipe" });

	/** Runs a command of the built program to its end, or until it is stopped with Ctrl-C. */
	async function runToEnd(child: ReturnType<typeof start>) {
		const [output, errors]: [string[], string[]] = [[], []];
		child.stdout.setEncoding("utf8").on("data", (text: string) => output.push(text));
		child.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text));
		const [status] = await once(child, "close");
		return { status, stdout: output.join(""), stderr: errors.join("") };
	}

	/** Folder of programs that say their version and then wait. */
	function createSlowPrograms(): string {
		const slow = mkdtempSync(join(folder, "slow-"));
		for (const name of ["pg_dump", "pg_restore"])
			writeFileSync(
				join(slow, name),
				`#!/bin/sh\n[ "$1" = --version ] && exec ${bin}/${name} "$@"\ntouch ${slow}/started\nexec sleep 60\n`,
				{ mode: 0o700 },
			);
		return slow;
	}

	/** Stops a command with Ctrl-C while a program of Postgres runs. */
	async function interrupt(command: readonly string[], environment: NodeJS.ProcessEnv) {
		const slow = createSlowPrograms();
		const child = start(command, { ...environment, POSTGRES_BIN: slow });
		const ended = runToEnd(child);
		await expect.poll(() => existsSync(join(slow, "started")), { timeout: 30_000 }).toBe(true);
		child.kill("SIGINT");
		return ended;
	}

	it("copy a database that is served to another one, which answers the same, and stop with Ctrl-C", async () => {
		const { child, send } = await serve("data");
		const id = await addHandbook(send);
		const before = await ask(send, id);
		const file = join(folder, "backup.tar");

		const stopped = await interrupt(["backup", file], toEnvironment());
		expect(stopped).toEqual({ status: 130, stdout: "", stderr: "Stopped. No backup was written.\n" });
		expect(readdirSync(folder).filter((name) => name.startsWith("backup"))).toEqual([]);
		const backup = await runToEnd(start(["backup", file], toEnvironment()));
		expect([backup.status, backup.stderr, backup.stdout]).toEqual([
			...[0, "", expect.stringMatching(/^Backed up 1 workspace to .*\n.*\n {2}database\.dump /)],
		]);

		const refused = await runToEnd(start(["restore", file], toEnvironment()));
		expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("in use")]);
		const restoring = await interrupt(["restore", file], toEnvironment("restored"));
		expect([restoring.status, restoring.stderr]).toEqual([130, expect.stringMatching(/^Stopped\. /)]);
		const restored = await runToEnd(start(["restore", file], toEnvironment("restored")));
		expect([restored.status, restored.stderr, restored.stdout]).toEqual([
			...[0, "", expect.stringContaining("into the database restored.")],
		]);
		await kill(child);
		const copy = await serve("copy", "restored");
		expect((await ask(copy.send, id)).answer).toBe(before.answer);
		await kill(copy.child);
	}, 120_000);
});
