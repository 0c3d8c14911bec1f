import { expect, it } from "vitest";
import { selectApproval } from "./select-approval";

const approvalOf = (id: string) => ({
	id,
	node: "refund",
	tool: "refund_order",
	arguments: { order: id },
	expires_at: "2030-01-01T00:00:00Z",
});
const select = (decision: "approve" | "deny", ids: readonly string[], approvalId?: string) => {
	try {
		return selectApproval({ decision, runId: "run_1", approvalId }, ids.map(approvalOf), 79);
	} catch (error) {
		return error;
	}
};

it.each([
	["the one that is named", "approve", ["apr_1"], "apr_2"],
	["an only one that is denied", "deny", ["apr_2"], undefined],
] as const)("takes %s", (_, decision, open, approvalId) =>
	expect(select(decision, open, approvalId)).toBe("apr_2"),
);

it("never approves a call that was not named, and says how to name it", () => {
	expect(select("approve", ["apr_1"])).toMatchObject({
		message: "The run run_1 waits for an approval: name the one that you have read.",
		hint: [
			"Read the call, then:",
			"  refund_order (refund)",
			'    order: "apr_1"',
			"    1 argument, 17 characters, all shown",
			"    until 2030-01-01T00:00:00Z: stemma runs approve run_1 apr_1",
		].join("\n"),
	});
});

it("tells a few of many", () => {
	const ids = Array.from({ length: 400 }, (_, index) => `apr_${index}`);
	expect(select("deny", ids)).toMatchObject({
		message: "The run run_1 waits for 400 approvals: name the one that you have read.",
		hint: expect.stringMatching(/stemma runs deny run_1 apr_4\n {2}… and 395 more: stemma runs show run_1$/),
	});
});

it("says that there is none", () => {
	expect(select("approve", [])).toMatchObject({ code: "approval_not_found" });
});
