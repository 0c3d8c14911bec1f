import { afterEach, beforeEach, expect, it } from "vitest";
import { createId } from "../../../create-id";
import { cancelElsewhere, onCancel } from "../../claims/cancel-work";
import type { WorkspaceStore } from "../../workspace-store";
import { describeOnPostgres } from "../test-support/describe-on-postgres";
import { startTestInstances, type TestInstance, type TestInstances } from "../test-support/test-instance";
import { UPLOADS_CLAIM_KIND } from "./claim-conditions";

const WORK = { kind: "request", id: "POST /v1/agents" } as const;
const never = new AbortController().signal;
const nothing = async (): Promise<void> => undefined;

describeOnPostgres("claims of work", (database) => {
	let instances: TestInstances;
	let workspaceId: string;
	let owner: TestInstance;
	let first: WorkspaceStore["claims"];
	let second: WorkspaceStore["claims"];
	beforeEach(async () => {
		instances = await startTestInstances(database);
		workspaceId = createId("ws");
		owner = await instances.add();
		first = (await owner.openWorkspace(workspaceId)).claims;
		second = (await (await instances.add()).openWorkspace(workspaceId)).claims;
	});
	afterEach(() => instances.close());

	it("are of one instance until it gives them back", async () => {
		const taken = await Promise.all([first.take(WORK), second.take(WORK)]);
		expect([...taken].sort()).toEqual([false, true]);
		const [holder, waiter] = taken[0] ? [first, second] : [second, first];
		expect([await holder.isOwn(WORK), await waiter.isOwn(WORK)]).toEqual([true, false]);
		const released = waiter.untilReleased(WORK, never);
		await holder.release(WORK);
		await released;
		expect(await waiter.take(WORK)).toBe(true);
	});

	it("end with the lease of their instance", async () => {
		await first.take(WORK);
		const released = second.untilReleased(WORK, never);
		await owner.expire();
		await released;
		expect(await second.take(WORK)).toBe(true);
		expect(await first.isOwn(WORK)).toBe(false);
		// The claim of another one is not released.
		await first.release(WORK);
		expect(await second.isOwn(WORK)).toBe(true);
	});

	it("are of one workspace, and go with it", async () => {
		await first.take(WORK);
		const other = (await owner.openWorkspace(createId("ws"))).claims;
		expect(await other.isOwn(WORK)).toBe(false);
		await other.untilReleased(WORK, never);
		expect(await other.take(WORK)).toBe(true);
		await owner.deleteWorkspace(workspaceId);
		expect([await first.isOwn(WORK), await other.isOwn(WORK)]).toEqual([false, true]);
	});

	it("are cancelled by the instance that has them, which is waited for", async () => {
		const stop = onCancel(first, "request", (id) => {
			expect(id).toBe(WORK.id);
			void first.release(WORK);
		});
		await first.take(WORK);
		await cancelElsewhere(second, WORK);
		expect(await second.take(WORK)).toBe(true);
		stop();
		await cancelElsewhere(second, { ...WORK, id: "nobody's" });
	});

	it("are not waited for any more by those who leave", async () => {
		await first.take(WORK);
		const leaving = new AbortController();
		const waiting = second.untilReleased(WORK, leaving.signal);
		leaving.abort();
		await waiting;
		expect(await second.take(WORK)).toBe(false);
	});

	it("are listed by workspace where their instance has left them", async () => {
		await first.take(WORK);
		expect(await owner.listInterrupted()).not.toContain(workspaceId);
		await owner.expire();
		expect(await owner.listInterrupted()).toContain(workspaceId);
		await second.recovering(nothing);
		expect(await owner.listInterrupted()).not.toContain(workspaceId);
	});

	/** Takes work in a transaction whose commit is not confirmed. */
	async function takeUnconfirmed(): Promise<void> {
		owner.setFaults((sql) => (sql === "commit" ? "unconfirmed" : undefined));
		await expect(first.take(WORK)).rejects.toMatchObject({ code: "storage_unavailable" });
		owner.setFaults(() => undefined);
	}

	it("are given back by a recovery where they were not confirmed", async () => {
		await takeUnconfirmed();
		expect(await second.take(WORK)).toBe(false);
		const kept = { ...WORK, id: "POST /v1/clients" };
		await first.take(kept);
		expect(first.hasUnconfirmed).toBe(true);
		await first.recovering(nothing);
		expect(first.hasUnconfirmed).toBe(false);
		expect([await second.take(WORK), await second.take(kept)]).toEqual([true, false]);
	});

	it("are given back by the next recovery where they were not confirmed during one", async () => {
		await first.recovering(takeUnconfirmed);
		expect(first.hasUnconfirmed).toBe(true);
		expect(await second.take(WORK)).toBe(false);
		await first.recovering(nothing);
		expect(await second.take(WORK)).toBe(true);
	});

	it("are given back by a recovery where their end could not be stored, or their release", async () => {
		await first.take(WORK);
		first.abandon(WORK);
		expect(await second.take(WORK)).toBe(false);
		await first.recovering(nothing);
		expect(await second.take(WORK)).toBe(true);
		await second.release(WORK);
		await first.take(WORK);
		owner.setFaults(() => "not_sent");
		await first.release(WORK);
		owner.setFaults(() => undefined);
		expect([first.hasUnconfirmed, await second.take(WORK)]).toEqual([true, false]);
		await first.recovering(nothing);
		expect(await second.take(WORK)).toBe(true);
	});

	it("stay with an instance whose lease was over, where it recovers others", async () => {
		await first.take(WORK);
		await owner.expire();
		await first.recovering(nothing);
		expect(await first.isOwn(WORK)).toBe(true);
	});

	it("still say after a recovery that the instance has uploads", async () => {
		const client = await database.pool.connect();
		await client.query(
			"insert into stemma_deployment.claims (workspace, kind, id, owner) values ($1, $2, $3, $3)",
			[workspaceId, UPLOADS_CLAIM_KIND, owner.id],
		);
		client.release();
		await first.recovering(nothing);
		await owner.expire();
		expect(await owner.listInterrupted()).toContain(workspaceId);
	});
});
