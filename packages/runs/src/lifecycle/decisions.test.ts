import { expect, it } from "vitest";
import { findDecisionProblem, isRepeated, type StoredApproval, toDecision } from "./decisions";

const open: StoredApproval = { id: "apr_1", expires_at: 100, decision: null, reason: null, decided_at: null };
const denied = { ...open, decision: "deny", reason: "No.", decided_at: 50 } as const;

it.each([
	["open", open, "paused", 99, undefined],
	["open in a run in progress", open, "running", 99, undefined],
	["over its time", open, "paused", 100, "approval_expired"],
	["expired", { ...open, decision: "expire" as const }, "completed", 99, "approval_expired"],
	["decided, in time and in a run that has ended", denied, "completed", 200, "approval_decided"],
	["open in a run that has ended", open, "cancelled", 99, "run_ended"],
] as const)(
	"takes a decision on an approval that is %s, or says why not",
	(_, approval, status, now, code) => {
		expect(findDecisionProblem({ id: "run_1", status }, approval, now)?.code).toBe(code);
	},
);

it("tells a decision that was made before from another one", () => {
	expect(isRepeated(denied, { decision: "deny" })).toBe(true);
	expect(isRepeated(denied, { decision: "approve" })).toBe(false);
	expect(isRepeated(undefined, { decision: "approve" })).toBe(false);
});

it("gives decisions as a run takes them: what has expired is denied", () => {
	const decided_at = "1970-01-01T00:00:00.050Z";
	expect(toDecision(denied)).toEqual({ approval_id: "apr_1", decision: "deny", reason: "No.", decided_at });
	expect(toDecision({ ...denied, decision: "approve" })).toEqual({
		approval_id: "apr_1",
		decision: "approve",
		decided_at,
	});
	expect(toDecision({ ...denied, decision: "expire" }).reason).toContain("in time");
});
