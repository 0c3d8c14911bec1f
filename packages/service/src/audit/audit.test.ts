import type { AuditAction } from "@stemma/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openMemoryDatabase } from "../http/test-support/memory-database";
import { type DeploymentTables, deploymentMigrations } from "../store/deployment-tables";
import {
	createDeploymentAuditRepository,
	recordAudit,
	recordDeploymentAudit,
} from "../store/repositories/audit-repository";
import { createWorkspaceStore } from "../store/repositories/workspace-store";
import { type WorkspaceTables, workspaceMigrations } from "../store/workspace-tables";
import { listAudit } from "./audit";
import type { AuditPageRequest } from "./audit-repository";

const openDeployment = () => openMemoryDatabase<DeploymentTables>(deploymentMigrations);
const openWorkspace = (id: string) => ({
	id,
	...createWorkspaceStore(openMemoryDatabase<WorkspaceTables>(workspaceMigrations)),
});

let deployment: ReturnType<typeof openDeployment>;
let ownWorkspace: ReturnType<typeof openWorkspace>;
let otherWorkspace: ReturnType<typeof openWorkspace>;

beforeEach(async () => {
	vi.useFakeTimers({ toFake: ["Date", "performance"], now: Date.parse("2026-01-31T12:00:00Z") });
	deployment = openDeployment();
	ownWorkspace = openWorkspace("ws_mine");
	otherWorkspace = openWorkspace("ws_theirs");
	for (const { id } of [ownWorkspace, otherWorkspace])
		await deployment.write.insertInto("workspaces").values({ id, name: id, created_at: 0 }).execute();
});
afterEach(() => {
	vi.useRealTimers();
});

async function recordEntry(
	file: "workspace" | "deployment",
	target: string,
	action: AuditAction = "client.created",
	{ id, audit } = ownWorkspace,
): Promise<void> {
	const entry = { actor: "cl_me", action, target };
	if (file === "workspace") await audit.record(entry);
	else await recordDeploymentAudit(deployment.write, id, entry);
}

const list = (page: Partial<AuditPageRequest> = {}, workspace = ownWorkspace) =>
	listAudit(createDeploymentAuditRepository(deployment), workspace, {
		limit: 100,
		after: undefined,
		...page,
	});
const targets = async (page?: Partial<AuditPageRequest>, workspace = ownWorkspace) =>
	(await list(page, workspace)).map(({ target }) => target);

it("tells all of a row, with and without details and a request", async () => {
	const details = { name: "backend", scopes: ["ask"] };
	const requestId = "req_1";
	await ownWorkspace.audit.record({
		...{ actor: "cl_me", action: "secret.set", target: "crm" },
		...{ details, requestId },
	});
	vi.advanceTimersByTime(1000);
	await recordDeploymentAudit(deployment.write, ownWorkspace.id, {
		...{ actor: "operator", action: "workspace.created", target: ownWorkspace.id },
	});
	const id = expect.stringMatching(/^aud_[0-9a-z]{26}$/);
	expect(await list()).toEqual([
		{
			...{ id, at: "2026-01-31T12:00:01.000Z", action: "workspace.created", actor: "operator" },
			...{ target: ownWorkspace.id, details: {}, request_id: null },
		},
		{
			...{ id, at: "2026-01-31T12:00:00.000Z", action: "secret.set", actor: "cl_me", target: "crm" },
			...{ details, request_id: requestId },
		},
	]);
});

it("puts both files in one order, the newest first, also across pages and within a millisecond", async () => {
	for (const [target, file] of [..."dwddwwwddd"].entries())
		await recordEntry(file === "w" ? "workspace" : "deployment", String(target));
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
	await recordEntry("workspace", "a", "secret.set");
	await recordEntry("workspace", "b", "secret.deleted");
	await recordEntry("deployment", "c", "secret.set");
	await recordEntry("deployment", "d", "client.rotated");
	expect(await targets({ action: "secret.set" })).toEqual(["c", "a"]);
	expect(await targets({ action: "secret.set", limit: 1, after: (await list())[1]?.id })).toEqual(["a"]);
});

it("tells a workspace nothing of another", async () => {
	await recordEntry("deployment", "theirs", "client.created", otherWorkspace);
	await recordEntry("workspace", "theirs, too", "secret.set", otherWorkspace);
	await recordEntry("deployment", "mine");
	expect(await targets()).toEqual(["mine"]);
	expect(await targets({ action: "client.created" }, otherWorkspace)).toEqual(["theirs"]);
	expect(await targets({}, otherWorkspace)).toEqual(["theirs, too", "theirs"]);
});

it("goes with its transaction", async () => {
	const database = openMemoryDatabase<WorkspaceTables>(workspaceMigrations);
	const change = database.write.transaction().execute(async (transaction) => {
		await recordAudit(transaction, { actor: "cl_me", action: "secret.set", target: "crm" });
		throw new Error("changed nothing");
	});
	await expect(change).rejects.toThrow("changed nothing");
	expect(await createWorkspaceStore(database).audit.list({ limit: 100, after: undefined })).toEqual([]);
});
