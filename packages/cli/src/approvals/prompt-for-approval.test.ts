import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { createLineReader } from "../terminal/input/line-reader";
import type { Terminal } from "../terminal/terminal";
import { promptForApproval } from "./prompt-for-approval";

/** A person who gives one answer to each question that is seen. */
function openSession(...answers: readonly string[]) {
	const stdin = new PassThrough();
	const stderr = new PassThrough();
	const left = [...answers];
	let seen = "";
	stderr.on("data", (chunk) => {
		seen += chunk;
		const answer = /(\]|\)): ?$|\] $/.test(String(chunk)) ? left.shift() : undefined;
		if (answer !== undefined) stdin.write(`${answer}\n`);
	});
	const terminal = { stdin, stderr } as unknown as Terminal;
	const reader = createLineReader(terminal, () => undefined);
	return { stdin, ask: promptForApproval(terminal, () => reader), seen: () => seen };
}

const approvalOf = (order: string) => ({
	id: `apr_${order}`,
	node: "refund",
	tool: "refund",
	arguments: { order },
	expires_at: "2030-01-01T00:00:00Z",
});

it("asks for approvals one after the other, with the call above the question", async () => {
	const { ask, seen } = openSession("y", "no", " Too much. ", "", "", "YES");
	const { signal } = new AbortController();
	const answers = await Promise.all(
		["A1", "A2", "A3", "A4"].map((order) => ask(approvalOf(order), { signal })),
	);
	expect(answers).toEqual([
		"approve",
		{ decision: "deny", reason: "Too much." },
		{ decision: "deny" },
		"approve",
	]);
	expect(seen().split("Why not? The model gets this reason (Enter for none): ").join("")).toBe(
		["A1", "A2", "A3", "A4"]
			.map(
				(order) =>
					`Waits for an approval: refund\n  order: "${order}"\nApprove refund? 1 argument, 14 characters, all shown. [y/N] `,
			)
			.join(""),
	);
});

it("shows the whole call at f, and asks again", async () => {
	const { ask, seen } = openSession("f", "y");
	const { signal } = new AbortController();
	const text = `${"x".repeat(1000)}MIDDLE${"x".repeat(1000)}`;
	expect(await ask(approvalOf(text), { signal })).toBe("approve");
	const [first = "", second = ""] = seen().split(/(?<=\] )/);
	expect(first).toMatch(
		/\nApprove refund\? 1 argument, 2,018 characters, [\d,]+ of them not shown\. \[y\/N, f shows all\] $/,
	);
	expect(first.replace(/\n {2}│ /g, "")).not.toContain("MIDDLE");
	expect(second.replace(/\n {2}│ /g, "")).toContain("MIDDLE");
	expect(second).toMatch(/all shown\. \[y\/N\] $/);
});

it("leaves approvals open where nobody answers any more", async () => {
	const { stdin, ask } = openSession();
	stdin.end();
	expect(await ask(approvalOf("A1"), { signal: new AbortController().signal })).toBeUndefined();
	expect(await ask(approvalOf("A2"), { signal: AbortSignal.abort() })).toBeUndefined();
});
