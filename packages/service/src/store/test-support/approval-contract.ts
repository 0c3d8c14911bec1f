import type { RunStatus } from "@stemma/core";
import type { LoggedEvent } from "@stemma/runs";
import { describe, expect, it } from "vitest";
import type { AuditRepository } from "../../audit/audit-repository";
import type {
	ApprovalChange,
	ApprovalRepository,
	RunApproval,
} from "../../runs/repositories/approval-repository";
import type { RunRepository } from "../../runs/repositories/run-repository";
import { toNewRun } from "./run-fixture";

/** Pause at 1 for approvals, by id, with the times at which they expire. */
const toPausedEvent = (
	runId: string,
	seq: number,
	expiries: Readonly<Record<string, number>>,
): LoggedEvent => ({
	...{ type: "run.paused", runId, seq, json: "{}", status: "paused" },
	pause: {
		state: "{}",
		resumeContext: "{}",
		approvals: Object.entries(expiries).map(([id, expiresAt]) => ({
			...{ id, node: "pay", tool: `tool of ${id}`, arguments: "{}", askedAt: 1, expiresAt },
		})),
	},
});

const approve = (approvalId: string): ApprovalChange => ({
	decision: { decision: "approve", reason: null, decided_by: "cl_1", decided_at: 5 },
	audit: { actor: "cl_1", action: "approval.approved", target: approvalId },
});
const approved = (id: string) => ({ id, decision: "approve", reason: null, decided_at: 5 });
const expired = (id: string, decided_at: number) => ({ id, decision: "expire", reason: null, decided_at });

/** Contract that each store of approvals keeps. @param open - an empty one, with the runs and the audit of the same workspace. */
export function describeApprovalRepository(
	open: () => {
		readonly approvals: ApprovalRepository;
		readonly runs: RunRepository;
		readonly audit: AuditRepository;
	},
): void {
	/** Runs that wait for approvals that expire at these times. */
	async function openPaused(runs: Readonly<Record<string, Readonly<Record<string, number>>>>) {
		const store = open();
		for (const [runId, expiries] of Object.entries(runs)) {
			await store.runs.insert(toNewRun(runId), () => undefined);
			await store.runs.append({ events: [toPausedEvent(runId, 1, expiries)], receipts: [] });
		}
		const append = (runId: string, seq: number, status: RunStatus | "running"): Promise<void> =>
			store.runs.append({
				events: [{ type: "run.resumed", runId, seq, json: "{}", status }],
				receipts: [],
			});
		const listAudited = async () =>
			(await store.audit.list({ limit: 99, after: undefined })).map(({ target }) => target);
		return { ...store, append, listAudited };
	}

	describe("a repository of approvals", () => {
		it("shows an approval and its run to who decides, and stores the decision with its audit", async () => {
			const { approvals, listAudited } = await openPaused({ run_1: { a: 10, b: 20 }, run_2: { a: 30 } });
			const seen: (RunApproval | undefined)[] = [];
			const decideOn = (approvalId: string) => ({
				approvalId,
				decide(approval: RunApproval | undefined) {
					seen.push(approval);
					return approval && approve(approvalId);
				},
			});
			expect(await approvals.decide("run_1", [decideOn("a"), decideOn("none")])).toEqual([approved("a")]);
			const open = { id: "a", node: "pay", tool: "tool of a", expires_at: 10, run_status: "paused" };
			expect(seen).toEqual([{ ...open, decision: null, reason: null, decided_at: null }, undefined]);
			expect(await approvals.listDecided("run_1")).toEqual([approved("a")]);
			expect(await approvals.listDecided("run_2")).toEqual([]);
			expect(await listAudited()).toEqual(["a"]);
		});

		it("decides one after the other, and on none where one is refused", async () => {
			const { approvals, listAudited } = await openPaused({ run_1: { a: 10, b: 20 } });
			const decideOn = (approvalId: string) => ({
				approvalId,
				decide(approval: RunApproval | undefined) {
					if (approval?.decision !== null) throw new Error("No.");
					return approve(approvalId);
				},
			});
			const twice = approvals.decide("run_1", [decideOn("a"), decideOn("b"), decideOn("a")]);
			await expect(twice).rejects.toThrow("No.");
			expect([await approvals.listDecided("run_1"), await listAudited()]).toEqual([[], []]);
			expect(await approvals.decide("run_1", [decideOn("b")])).toEqual([approved("b")]);
		});

		it("leaves approvals as they are that nothing is decided on, without an audit", async () => {
			const { approvals, listAudited } = await openPaused({ run_1: { a: 10 } });
			const idle = { approvalId: "a", decide: () => undefined };
			expect(await approvals.decide("run_1", [idle])).toEqual([]);
			expect([await approvals.listDecided("run_1"), await listAudited()]).toEqual([[], []]);
		});

		it("expires what is open and over, of one run, once, without an audit", async () => {
			const { approvals, listAudited } = await openPaused({
				...{ run_1: { a: 10, b: 20, c: 10 }, run_2: { a: 10 } },
			});
			await approvals.decide("run_1", [{ approvalId: "c", decide: () => approve("c") }]);
			expect(await approvals.expire("run_1", 9)).toEqual([]);
			expect(await approvals.expire("run_1", 10)).toEqual([expired("a", 10)]);
			expect(await approvals.expire("run_1", 11)).toEqual([]);
			const decided = await approvals.listDecided("run_1");
			expect(decided).toHaveLength(2);
			expect(decided).toEqual(expect.arrayContaining([approved("c"), expired("a", 10)]));
			expect(await approvals.listDecided("run_2")).toEqual([]);
			expect(await listAudited()).toEqual(["c"]);
		});

		it("lists each paused run once that was decided on, or waits too long", async () => {
			const { approvals, append } = await openPaused({
				...{ run_1: { a: 10, b: 10 }, run_2: { a: 20 }, run_3: { a: 10 }, run_4: { a: 30, b: 30 } },
			});
			await append("run_3", 2, "running");
			expect([...(await approvals.listRunsToResume(9))]).toEqual([]);
			expect(await approvals.listRunsToResume(10)).toEqual(["run_1"]);
			await approvals.decide("run_4", [{ approvalId: "b", decide: () => approve("b") }]);
			expect([...(await approvals.listRunsToResume(20))].sort()).toEqual(["run_1", "run_2", "run_4"]);
		});

		it("keeps a decision when its run pauses again, and an open approval as it was", async () => {
			const { approvals, runs } = await openPaused({ run_1: { a: 10, b: 20 } });
			await approvals.decide("run_1", [{ approvalId: "a", decide: () => approve("a") }]);
			await runs.append({ events: [toPausedEvent("run_1", 2, { b: 99, c: 40 })], receipts: [] });
			expect(await approvals.listDecided("run_1")).toEqual([approved("a")]);
			expect(await approvals.expire("run_1", 20)).toEqual([expired("b", 20)]);
			expect(await approvals.expire("run_1", 40)).toEqual([expired("c", 40)]);
		});
	});
}
