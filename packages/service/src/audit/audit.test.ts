import type { AuditAction } from "@stemma/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openMemoryDatabase } from "../http/test-support/memory-database";
import { type DeploymentTables, deploymentMigrations } from "../store/deployment-tables";
import { type WorkspaceTables, workspaceMigrations } from "../store/workspace-tables";
import { type AuditPageRequest, listAudit, putAudit, putDeploymentAudit } from "./audit";

const openDeployment = () => openMemoryDatabase<DeploymentTables>(deploymentMigrations);
const openWorkspace = (id: string) => ({
	id,
	database: openMemoryDatabase<WorkspaceTables>(workspaceMigrations),
});

let deployment: ReturnType<typeof openDeployment>;
let mine: ReturnType<typeof openWorkspace>;
let theirs: ReturnType<typeof openWorkspace>;

beforeEach(async () => {
	vi.useFakeTimers({ toFake: ["Date", "performance"], now: Date.parse("2026-01-31T12:00:00Z") });
	deployment = openDeployment();
	mine = openWorkspace("ws_mine");
	theirs = openWorkspace("ws_theirs");
	for (const { id } of [mine, theirs])
		await deployment.write.insertInto("workspaces").values({ id, name: id, created_at: 0 }).execute();
});
afterEach(() => {
	vi.useRealTimers();
});

async function put(
	file: "workspace" | "deployment",
	target: string,
	action: AuditAction = "client.created",
	{ id, database } = mine,
): Promise<void> {
	const entry = { actor: "cl_me", action, target };
	if (file === "workspace") await putAudit(database.write, entry);
	else await putDeploymentAudit(deployment.write, id, entry);
}

const list = (page: Partial<AuditPageRequest> = {}, workspace = mine) =>
	listAudit(deployment, workspace, { limit: 100, after: undefined, ...page });
const targets = async (page?: Partial<AuditPageRequest>, workspace = mine) =>
	(await list(page, workspace)).map(({ target }) => target);

it("tells all of a row, with and without details and a request", async () => {
	const details = { name: "backend", scopes: ["ask"] };
	const requestId = "req_1";
	await putAudit(mine.database.write, {
		...{ actor: "cl_me", action: "secret.set", target: "crm" },
		...{ details, requestId },
	});
	vi.advanceTimersByTime(1000);
	await putDeploymentAudit(deployment.write, mine.id, {
		...{ actor: "operator", action: "workspace.created", target: mine.id },
	});
	const id = expect.stringMatching(/^aud_[0-9a-z]{26}$/);
	expect(await list()).toEqual([
		{
			...{ id, at: "2026-01-31T12:00:01.000Z", action: "workspace.created", actor: "operator" },
			...{ target: mine.id, details: {}, request_id: null },
		},
		{
			...{ id, at: "2026-01-31T12:00:00.000Z", action: "secret.set", actor: "cl_me", target: "crm" },
			...{ details, request_id: requestId },
		},
	]);
});

it("puts both files in one order, the newest first, also across pages and within a millisecond", async () => {
	for (const [target, file] of [..."dwddwwwddd"].entries())
		await put(file === "w" ? "workspace" : "deployment", String(target));
	const all = ["9", "8", "7", "6", "5", "4", "3", "2", "1", "0"];
	expect(await targets()).toEqual(all);
	for (const limit of [1, 3, 9, 10]) {
		const seen: string[] = [];
		for (let after: string | undefined; seen.length < 20; ) {
			const rows = await list({ limit, after });
			const page = rows.slice(0, limit);
			seen.push(...page.map(({ target }) => target));
			if (rows.length <= limit) break;
			expect(rows).toHaveLength(limit + 1);
			after = page.at(-1)?.id;
		}
		expect(seen).toEqual(all);
	}
});

it("picks one action from both files", async () => {
	await put("workspace", "a", "secret.set");
	await put("workspace", "b", "secret.deleted");
	await put("deployment", "c", "secret.set");
	await put("deployment", "d", "client.rotated");
	expect(await targets({ action: "secret.set" })).toEqual(["c", "a"]);
	expect(await targets({ action: "secret.set", limit: 1, after: (await list())[1]?.id })).toEqual(["a"]);
});

it("tells a workspace nothing of another", async () => {
	await put("deployment", "theirs", "client.created", theirs);
	await put("workspace", "theirs, too", "secret.set", theirs);
	await put("deployment", "mine");
	expect(await targets()).toEqual(["mine"]);
	expect(await targets({ action: "client.created" }, theirs)).toEqual(["theirs"]);
	expect(await targets({}, theirs)).toEqual(["theirs, too", "theirs"]);
});

it("goes with its transaction", async () => {
	const change = mine.database.write.transaction().execute(async (transaction) => {
		await putAudit(transaction, { actor: "cl_me", action: "secret.set", target: "crm" });
		throw new Error("changed nothing");
	});
	await expect(change).rejects.toThrow("changed nothing");
	expect(await list()).toEqual([]);
});
