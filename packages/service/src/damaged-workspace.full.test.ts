import {
	chmodSync,
	closeSync,
	copyFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { KnowledgeBase } from "@stemma/client";
import * as built from "@stemma/service";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectApiError } from "./test-support/expect-error";
import { type SendRequest, sendTo } from "./test-support/send-request";
import { getBody, waitUntilIndexed } from "./test-support/tenant";
import { fetchToken, toTestConfiguration } from "./test-support/test-deployment";

interface Tenant {
	readonly id: string;
	readonly credentials: built.WorkspaceCredentials;
	readonly file: string;
	readonly base: string;
}

let folder: string;
let damaged: Tenant;
let well: Tenant;
let service: built.Service | undefined;
let log: { readonly code?: string; readonly workspace?: string; readonly problem?: string }[];

/** Data folder of a service that has ended; each test gets a copy. */
let template: string;
const TENANTS = new Map<string, Omit<Tenant, "file">>();

beforeAll(async () => {
	template = mkdtempSync(join(tmpdir(), "stemma-damage-"));
	folder = template;
	await start();
	for (const name of ["hurt", "well"]) TENANTS.set(name, await addTenant(name));
	await stop();
});
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-damage-"));
	cpSync(template, folder, { recursive: true });
	damaged = getTenant("hurt");
	well = getTenant("well");
});
afterEach(async () => {
	await stop();
	rmSync(folder, { recursive: true, force: true });
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

async function start(): Promise<built.Service> {
	log = [];
	const logger = pino({ level: "warn" }, { write: (line: string) => void log.push(JSON.parse(line)) });
	service = await built.createService(toTestConfiguration(built, folder), { logger });
	return service;
}

async function stop(): Promise<void> {
	await service?.close(0);
	service = undefined;
}

const anyone = (): SendRequest => {
	if (service === undefined) throw new Error("No service runs.");
	return sendTo(service.fetch);
};

async function sendAs({ credentials }: Tenant): Promise<SendRequest> {
	if (service === undefined) throw new Error("No service runs.");
	return sendTo(service.fetch, await fetchToken(anyone(), credentials));
}

function getTenant(name: string): Tenant {
	const tenant = TENANTS.get(name);
	if (tenant === undefined) throw new Error(`There is no tenant "${name}".`);
	return { ...tenant, file: join(folder, "workspaces", `${tenant.id}.sqlite`) };
}

async function addTenant(name: string): Promise<Omit<Tenant, "file">> {
	if (service === undefined) throw new Error("No service runs.");
	const credentials = await service.createWorkspace(name);
	const id = credentials.workspace_id;
	const send = sendTo(service.fetch, await fetchToken(anyone(), credentials));
	const { id: base } = await getBody<KnowledgeBase>(send("POST", "/v1/knowledge-bases", { json: { name } }));
	const text = Array.from(
		{ length: 400 },
		(_, line) => `Line ${line} of ${name}: ${"words ".repeat(20)}`,
	).join("\n\n");
	await getBody(send("POST", `/v1/knowledge-bases/${base}/documents`, { json: { text } }));
	await waitUntilIndexed(send, base);
	return { id, credentials, base };
}

/** Sees to it that this tenant is served: reads, writes and searches. */
async function expectServed(tenant: Tenant): Promise<void> {
	const send = await sendAs(tenant);
	const json = { query: "words", knowledge_base_ids: [tenant.base] };
	const { passages } = await getBody<{ passages: unknown[] }>(send("POST", "/v1/search", { json }));
	expect(passages.length).toBeGreaterThan(0);
	await getBody(send("POST", "/v1/knowledge-bases", { json: { name: `${Math.random()}` } }));
}

/** Sees to it that this tenant gets an error that says what to do, and that the operator is told. */
async function expectUnavailable(tenant: Tenant, problem: string): Promise<void> {
	const send = await sendAs(tenant);
	for (const path of ["/v1/knowledge-bases", "/v1/runs", "/v1/usage", "/v1/clients"])
		expectApiError(await send("GET", path), 503, "workspace_unavailable");
	const { status, body } = await anyone()("GET", "/readyz");
	expect(status).toBe(200);
	expect(body).toMatchObject({
		status: "ready",
		warnings: [{ code: "workspace_unavailable", message: expect.stringContaining(tenant.id) }],
	});
	expect(log).toContainEqual(
		expect.objectContaining({ code: "workspace_unavailable", workspace: tenant.id, problem }),
	);
}

const removeLog = (file: string): void => {
	for (const suffix of ["-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
};

const overwrite = (file: string, from: number, bytes: Buffer): void => {
	const handle = openSync(file, "r+");
	writeSync(handle, bytes, 0, bytes.length, from);
	closeSync(handle);
};

const DAMAGES: Readonly<Record<string, readonly [problem: string, damage: (file: string) => void]>> = {
	"other bytes": ["storage_corrupt", (file) => writeFileSync(file, "This is no database. ".repeat(1000))],
	"a header of zeros": ["storage_corrupt", (file) => overwrite(file, 0, Buffer.alloc(2000))],
	"half of it": [
		"storage_corrupt",
		(file) => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096),
	],
	"nothing in it": ["storage_missing", (file) => truncateSync(file, 0)],
	"no tables in it": [
		"storage_missing",
		(file) => {
			rmSync(file);
			const database = new DatabaseSync(file);
			database.exec("PRAGMA journal_mode = WAL");
			database.close();
		},
	],
	"no file": ["storage_missing", (file) => rmSync(file)],
	"no file, but its log": [
		"storage_missing",
		(file) => {
			rmSync(file);
			writeFileSync(`${file}-wal`, "left over");
		},
	],
	"a folder": [
		"storage_unavailable",
		(file) => {
			rmSync(file);
			mkdirSync(file);
		},
	],
	"the file of another workspace": ["storage_mismatch", (file) => copyFileSync(well.file, file)],
	"the file of the deployment": [
		"workspace_unusable",
		(file) => copyFileSync(join(folder, "deployment.sqlite"), file),
	],
	"a later version": [
		"storage_version",
		(file) => {
			const database = new DatabaseSync(file);
			database.exec("PRAGMA user_version = 999");
			database.close();
		},
	],
};

describe("a workspace whose file is damaged", () => {
	it.each(Object.keys(DAMAGES))("is out alone: %s", async (name) => {
		const [problem, damage] = DAMAGES[name] ?? ["", () => undefined];
		removeLog(damaged.file);
		damage(damaged.file);
		const before = statSync(damaged.file, { throwIfNoEntry: false })?.isFile()
			? readFileSync(damaged.file)
			: undefined;
		await start();
		await expectUnavailable(damaged, problem);
		await expectServed(well);
		await stop();
		// It stays as it was found: somebody may want to save something from it.
		expect(
			existsSync(damaged.file) && statSync(damaged.file).isFile() ? readFileSync(damaged.file) : undefined,
		).toEqual(before);
	});

	it("comes back with a file from a backup", async () => {
		copyFileSync(damaged.file, join(folder, "backup"));
		writeFileSync(damaged.file, "This is no database. ".repeat(1000));
		await start();
		await expectUnavailable(damaged, "storage_corrupt");
		await stop();
		copyFileSync(join(folder, "backup"), damaged.file);
		await start();
		await expectServed(damaged);
		expect((await anyone()("GET", "/readyz")).body).not.toHaveProperty("warnings");
	});

	it.each(["the log of another file", "a log of other bytes"])(
		"is well with a leftover: %s",
		async (name) => {
			removeLog(damaged.file);
			for (const suffix of ["-wal", "-shm"])
				writeFileSync(
					`${damaged.file}${suffix}`,
					name === "a log of other bytes" ? "left over ".repeat(5000) : "",
				);
			await start();
			await expectServed(damaged);
		},
	);

	it("is seen by operators, who can delete it", async () => {
		writeFileSync(damaged.file, "This is no database. ".repeat(1000));
		await start();
		const first = JSON.parse(readFileSync(join(folder, "first-credentials.json"), "utf8"));
		if (service === undefined) throw new Error("No service runs.");
		const send = sendTo(service.fetch, await fetchToken(anyone(), first));
		const { data } = await getBody<{ data: object[] }>(send("GET", "/v1/workspaces"));
		expect(data).toContainEqual(
			expect.objectContaining({
				id: damaged.id,
				status: "unavailable",
				problem: { code: "storage_corrupt", message: expect.any(String), hint: expect.any(String) },
			}),
		);
		expect(data).toContainEqual(expect.objectContaining({ id: well.id, status: "available" }));
		await getBody(send("DELETE", `/v1/workspaces/${damaged.id}`));
		expect(existsSync(damaged.file)).toBe(false);
		expect((await anyone()("GET", "/readyz")).body).not.toHaveProperty("warnings");
	});

	it("keeps nobody out when it is deleted and its files cannot be", async () => {
		removeLog(damaged.file);
		rmSync(damaged.file);
		mkdirSync(join(damaged.file, "something"), { recursive: true, mode: 0o700 });
		await start();
		const first = JSON.parse(readFileSync(join(folder, "first-credentials.json"), "utf8"));
		if (service === undefined) throw new Error("No service runs.");
		const send = sendTo(service.fetch, await fetchToken(anyone(), first));
		const deletion = await send("DELETE", `/v1/workspaces/${damaged.id}`);
		expectApiError(deletion, 503, "storage_unavailable");
		expect(deletion.body).toMatchObject({ error: { hint: expect.stringContaining("doctor") } });
		expect((await send("GET", `/v1/workspaces/${damaged.id}`)).status).toBe(404);
		expect((await anyone()("GET", "/readyz")).body).not.toHaveProperty("warnings");
		await stop();
		await start();
		await expectServed(well);
		expect(log).toContainEqual(
			expect.objectContaining({
				err: expect.objectContaining({
					code: "storage_unavailable",
					message: expect.stringContaining(damaged.file),
				}),
			}),
		);
		await stop();
		const { problems } = await built.checkDataFolder(toTestConfiguration(built, folder));
		expect(problems).toContainEqual(
			expect.objectContaining({
				severity: "error",
				code: "workspace_deletion_unfinished",
				workspaceId: damaged.id,
			}),
		);
		rmSync(damaged.file, { recursive: true });
		await start();
		const database = new DatabaseSync(join(folder, "deployment.sqlite"), { readOnly: true });
		const row = database.prepare("SELECT 1 FROM workspaces WHERE id = ?").get(damaged.id);
		database.close();
		expect(row).toBeUndefined();
	});

	it("does not lock the operator out whose own workspace it is", async () => {
		const first = JSON.parse(readFileSync(join(folder, "first-credentials.json"), "utf8"));
		writeFileSync(join(folder, "workspaces", `${first.workspace_id}.sqlite`), "no database ".repeat(1000));
		await start();
		if (service === undefined) throw new Error("No service runs.");
		const send = sendTo(service.fetch, await fetchToken(anyone(), first));
		expectApiError(await send("GET", "/v1/knowledge-bases"), 503, "workspace_unavailable");
		const { data } = await getBody<{ data: { id: string; status: string }[] }>(send("GET", "/v1/workspaces"));
		expect(data.find(({ id }) => id === first.workspace_id)?.status).toBe("unavailable");
		await getBody(send("PATCH", `/v1/workspaces/${well.id}`, { json: { name: "renamed" } }));
		await getBody(send("DELETE", `/v1/workspaces/${damaged.id}`));
	});

	it.skipIf(process.getuid?.() === 0)("is out where the service may not read it", async () => {
		chmodSync(damaged.file, 0);
		await start();
		await expectUnavailable(damaged, "storage_unavailable");
		await expectServed(well);
	});
});

describe("damage that is found while the service runs", () => {
	/** Overwrites all pages behind the first ones with zeros. */
	const zeroPages = (file: string): void => {
		const from = 8 * 4096;
		overwrite(file, from, Buffer.alloc(statSync(file).size - from));
	};

	it("takes the workspace out, and no other", async () => {
		removeLog(damaged.file);
		zeroPages(damaged.file);
		await start();
		const send = await sendAs(damaged);
		const json = { query: "words", knowledge_base_ids: [damaged.base] };
		expectApiError(await send("POST", "/v1/search", { json }), 503, "workspace_unavailable");
		await expectUnavailable(damaged, "storage_corrupt");
		await expectServed(well);
	});

	it("by one who writes, or while documents are read, does the same", async () => {
		removeLog(damaged.file);
		zeroPages(damaged.file);
		await start();
		const send = await sendAs(damaged);
		const json = { text: "More words." };
		const path = `/v1/knowledge-bases/${damaged.base}/documents`;
		// Where the pages of this table are whole, its document is taken, and its passages find the damage.
		await send("POST", path, { json });
		await expect.poll(async () => (await anyone()("GET", "/readyz")).body).toHaveProperty("warnings");
		await expectUnavailable(damaged, "storage_corrupt");
		await expectServed(well);
	});
});

describe("a deployment whose database is gone", () => {
	const deployment = () => join(folder, "deployment.sqlite");

	it.each(["missing", "empty"])("does not start over the files of workspaces: %s", async (how) => {
		removeLog(deployment());
		rmSync(deployment());
		if (how === "empty") writeFileSync(deployment(), "");
		const starting = start();
		await expect(starting).rejects.toMatchObject({
			code: "deployment_missing",
			message: expect.stringContaining("deployment.sqlite"),
			hint: expect.stringMatching(/backup/),
		});
		expect(existsSync(deployment()) ? statSync(deployment()).size : 0).toBe(0);
	});

	it("does not start with one that knows none of them", async () => {
		const database = new DatabaseSync(deployment());
		database.exec("PRAGMA foreign_keys = OFF; DELETE FROM workspaces");
		database.close();
		await expect(start()).rejects.toMatchObject({ code: "deployment_missing" });
	});

	it("starts once the files are moved away, as a new one", async () => {
		rmSync(join(folder, "workspaces"), { recursive: true });
		removeLog(deployment());
		rmSync(deployment());
		rmSync(join(folder, "first-credentials.json"));
		await start();
		expect((await anyone()("GET", "/readyz")).body).toMatchObject({ status: "ready" });
	});

	it("tells of files that it does not know", async () => {
		copyFileSync(well.file, join(folder, "workspaces", "ws_00000000000000000000000000.sqlite"));
		await start();
		expect(log).toContainEqual(
			expect.objectContaining({
				code: "workspace_files_unknown",
				files: ["ws_00000000000000000000000000.sqlite"],
			}),
		);
		await expectServed(well);
	});
});

it("a deployment all of whose workspaces are out is not ready, and makes no first workspace", async () => {
	const first = JSON.parse(readFileSync(join(folder, "first-credentials.json"), "utf8"));
	for (const id of [first.workspace_id, damaged.id, well.id])
		writeFileSync(join(folder, "workspaces", `${id}.sqlite`), "no database ".repeat(1000));
	await start();
	const { status, body } = await anyone()("GET", "/readyz");
	expect(status).toBe(503);
	expect(body).toMatchObject({ status: "unavailable", warnings: [{ code: "workspace_unavailable" }] });
	await stop();
	const database = new DatabaseSync(join(folder, "deployment.sqlite"), { readOnly: true });
	expect(database.prepare("SELECT count(*) AS count FROM workspaces").get()).toEqual({ count: 3 });
	database.close();
});
