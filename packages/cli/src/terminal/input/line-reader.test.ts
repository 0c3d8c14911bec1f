import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import type { Terminal } from "../terminal";
import { createLineReader } from "./line-reader";

/** A person who has typed these lines, and sees what is asked. */
function openSession(...typed: readonly string[]) {
	const stdin = new PassThrough();
	const stderr = new PassThrough();
	let seen = "";
	stderr.on("data", (chunk) => (seen += chunk));
	const reader = createLineReader({ stdin, stderr } as unknown as Terminal, () => undefined);
	for (const line of typed) stdin.write(`${line}\n`);
	return { stdin, reader, seen: () => seen };
}

it("gives each line to one question, and nothing after the end", async () => {
	const { stdin, reader } = openSession("one", "");
	stdin.end("last");
	const lines = [];
	for (let line = await reader.read("? "); line !== undefined; line = await reader.read("? "))
		lines.push(line);
	expect(lines).toEqual(["one", "", "last"]);
	expect(await reader.read("? ")).toBeUndefined();
});

it("gives a question that must be seen no line that was typed before", async () => {
	const { stdin, reader, seen } = openSession("y", "y");
	const answer = reader.readAfterPrompt("Sure? ", "This.\n");
	await expect.poll(seen).toBe("This.\nSure? ");
	stdin.write("no\n");
	expect(await answer).toBe("no");
	stdin.end("y\n");
	expect(await reader.readAfterPrompt("Sure? ")).toBeUndefined();
});
