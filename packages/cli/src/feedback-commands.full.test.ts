import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Stemma } from "@stemma/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	type CommandOutput,
	createTestCli,
	type TestCli,
	waitForExit,
	waitForOutput,
} from "./test-support/command";

let cli: TestCli;
let service: ChildProcess;
beforeAll(async () => {
	cli = await createTestCli();
	service = cli.start(["serve", "--port", "0"]);
	const [, url = ""] = await waitForOutput(service, /listens on (\S+)\n/);
	const file = join(cli.folder, "stemma-data/first-credentials.json");
	const { client_id, client_secret } = JSON.parse(await readFile(file, "utf8"));
	const client = new Stemma({ baseUrl: url, clientId: client_id, clientSecret: client_secret });
	const { id } = await client.knowledge.create({ name: "Hours", slug: "hours" });
	const text = "The harbour opens at nine.";
	await client.knowledge.documents.waitUntilReady(id, await client.knowledge.documents.addText(id, { text }));
	const graph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "books", kind: "knowledge", knowledgeBases: ["hours"] },
		],
		edges: [{ from: "desk", to: "books", mode: "before" }],
	} as const;
	await client.agents.create({ slug: "desk", graph });
	const question = "When does the harbour open?";
	const { run_id } = await client.agents.run("desk", { input: question });
	await client.runs.sendFeedback(run_id, { rating: "up", tags: ["clear"] });
	const { answer_id = "" } = await client.ask({ question, store: true });
	await client.ask.sendFeedback(answer_id, { rating: "down", comment: "Not on\nSundays." });
});
afterAll(async () => {
	service.kill();
	await waitForExit(service);
	await cli.close();
});

const feedback = (...args: readonly string[]): Promise<CommandOutput> => cli.stemma("feedback", ...args);

describe("stemma feedback", () => {
	it("lists ratings, newest first, as a table and as JSON", async () => {
		const { code, stdout } = await feedback("list");
		expect(code).toBe(0);
		const [header, ...rows] = stdout.trimEnd().split("\n");
		expect(header).toMatch(/^ {2}SENT +RATING +ANSWERED BY +TAGS +QUESTION +COMMENT$/);
		expect(rows[0]).toMatch(/^ {2}\S+Z {2}down +ask +When does the harbour open\? +Not on Sundays\.$/);
		expect(rows[1]).toMatch(/^ {2}\S+Z {2}up +desk \(version 1\) +clear +When does the harbour open\?$/);
		const json = JSON.parse((await feedback("list", "--rating", "up", "--json")).stdout);
		expect(json).toMatchObject([{ rating: "up", agent_slug: "desk", tags: ["clear"] }]);
		expect((await feedback("list", "--tag", "none")).stdout).toBe("No feedback was found.\n");
	});

	it("exports JSON lines with passages", async () => {
		const { code, stdout } = await feedback("export", "--since", "2020-01-01");
		expect(code).toBe(0);
		const lines = stdout
			.trimEnd()
			.split("\n")
			.map((line) => JSON.parse(line));
		const passages = [{ text: "The harbour opens at nine." }];
		expect(lines).toMatchObject([
			{ rating: "down", comment: "Not on\nSundays.", passages },
			{ rating: "up", passages },
		]);
		expect((await feedback("export", "--agent", "nobody")).stdout).toBe("");
	});

	it("says which time it takes", async () => {
		const { code, stderr } = await feedback("list", "--since", "yesterday");
		expect(code).toBe(1);
		expect(stderr).toContain("2026-01-31");
	});
});
