import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { askOnTerminal } from "../approvals/ask-on-terminal";
import { createLineReader } from "./line-reader";
import type { Terminal } from "./terminal";

/** A person who types these lines, and sees what is asked. */
function sit(...typed: readonly string[]) {
	const stdin = new PassThrough();
	const stderr = new PassThrough();
	let seen = "";
	stderr.on("data", (chunk) => (seen += chunk));
	const reader = createLineReader({ stdin, stderr } as unknown as Terminal, () => undefined);
	for (const line of typed) stdin.write(`${line}\n`);
	return { stdin, reader, seen: () => seen };
}

it("gives each line to one question, and nothing after the end", async () => {
	const { stdin, reader } = sit("one", "");
	stdin.end("last");
	const lines = [];
	for (let line = await reader.read("? "); line !== undefined; line = await reader.read("? "))
		lines.push(line);
	expect(lines).toEqual(["one", "", "last"]);
	expect(await reader.read("? ")).toBeUndefined();
});

const approvalOf = (order: string) => ({
	id: `apr_${order}`,
	node: "refund",
	tool: "refund",
	arguments: { order },
	expires_at: "2030-01-01T00:00:00Z",
});

it("asks for approvals one after the other", async () => {
	const { reader, seen } = sit("y", "no", " Too much. ", "", "", "YES");
	const ask = askOnTerminal(() => reader);
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
	expect(seen().match(/Approve [^?]*\?/g)).toEqual(
		["A1", "A2", "A3", "A4"].map((order) => `Approve refund {"order":"${order}"}?`),
	);
});

it("leaves approvals open where nobody answers any more", async () => {
	const { stdin, reader } = sit();
	stdin.end();
	const ask = askOnTerminal(() => reader);
	expect(await ask(approvalOf("A1"), { signal: new AbortController().signal })).toBeUndefined();
	expect(await ask(approvalOf("A2"), { signal: AbortSignal.abort() })).toBeUndefined();
});
