import type { ChildProcess } from "node:child_process";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startServer } from "@stemma/simulators/start-server";
import { afterAll, beforeAll, expect, it } from "vitest";
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
	await mkdir(inFolder("handbook"));
	const command = [process.execPath, "-e", "process.stdin.pipe(process.stdout)"];
	const readers = [{ name: "drawings", extensions: ["dwg"], command }];
	const configuration = { sources: { folders: ["handbook"] }, readers, outbound: { allow: ["127.0.0.1"] } };
	await writeFile(inFolder("stemma.config.json"), JSON.stringify(configuration));
	await write("leave.md", "# Leave\n\nThere are 30 days of leave.\n");
	await write("fees.csv", "name,fee\nGym,12\n");
	service = cli.start(["serve", "--port", "0"]);
	await waitForOutput(service, /listens on (\S+)\n/);
	expect((await cli.stemma("kb", "create", "handbook")).code).toBe(0);
});
afterAll(async () => {
	service.kill();
	await waitForExit(service);
	await cli.close();
});

const inFolder = (name: string): string => join(cli.folder, name);
const write = (name: string, text: string): Promise<void> => writeFile(inFolder(`handbook/${name}`), text);
const sources = (...args: readonly string[]): Promise<CommandOutput> =>
	cli.stemma("sources", ...args, "--kb", "handbook");

it("adds a folder, brings it up to date, changes and deletes it", async () => {
	expect((await sources("list")).stdout).toMatch(/^There are no sources yet\./);
	const added = await sources("add", "folder", "handbook", "--name", "Docs", "--every", "60", "--wait");
	expect(added).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(/^Added "Docs" \(src_\w+\)\.\nSynced: 2 added\.\n$/),
	});
	await rename(inFolder("handbook/fees.csv"), inFolder("handbook/prices.csv"));
	await write("scan.png", "?");
	const synced = await sources("sync", "Docs", "--wait");
	expect(synced.stdout).toMatch(/^Synced: 1 unchanged, 1 moved, 1 skipped\.\n {2}skipped: scan\.png: .*\n$/);
	expect((await sources("list")).stdout).toMatch(/\n {2}folder +succeeded +2 +60 min +src_\w+ +Docs\n$/);
	expect((await sources("show", "Docs")).stdout).toMatch(/\n {2}schedule +every 60 minutes\n/);
	const completed = await cli.stemma("complete", "--", "sources", "show", "--kb", "handbook", "D");
	expect(completed.stdout).toBe("Docs\n");
	const updated = await sources("update", "Docs", "--name", "Handbook", "--every", "never", "--json");
	expect(JSON.parse(updated.stdout)).toMatchObject({ name: "Handbook", every_minutes: null });
	for (const name of ["leave.md", "prices.csv", "scan.png"]) await rm(inFolder(`handbook/${name}`));
	expect(await sources("sync", "Handbook", "--wait")).toMatchObject({
		code: 1,
		stdout: expect.stringContaining("source_empty"),
	});
	const forced = await sources("sync", "Handbook", "--wait", "--force", "--json");
	expect(JSON.parse(forced.stdout)).toMatchObject({ status: "succeeded", counts: { removed: 2 } });
	expect(await sources("delete", "Handbook", "--yes")).toMatchObject({
		code: 0,
		stdout: 'Deleted "Handbook".\n',
	});
});

it("a folder and `stemma ingest` bring in files that only a reader of the service takes", async () => {
	await write("plan.dwg", "The bridge has four arches.");
	const added = await sources("add", "folder", "handbook", "--include", "*.dwg", "--wait");
	expect(added.stdout).toMatch(/\nSynced: 1 added\.\n$/);
	const without = await cli.stemma("ingest", "handbook/plan.dwg", "--kb", "plans", "--create");
	expect([without.code, without.stderr]).toEqual([
		1,
		expect.stringContaining("no documents that can be read"),
	]);
	const options = ["--kb", "plans", "--create", "--extension", ".DWG", "--json"];
	const ingested = await cli.stemma("ingest", "handbook/plan.dwg", ...options);
	expect(JSON.parse(ingested.stdout)).toMatchObject({ new: 1, failed: [], kinds: { DWG: { new: 1 } } });
	const found = await cli.stemma("search", "arches", "--kb", "plans");
	expect(found.stdout).toContain("The bridge has four arches.");
});

it("cancels a sync that runs", async () => {
	let requests = 0;
	// A response that never comes.
	const server = await startServer(0, async () => {
		requests += 1;
	});
	await sources("add", "url", `${server.origin}/slow.md`, "--name", "Slow");
	await expect.poll(() => requests).toBe(1);
	const cancelled = await sources("sync", "Slow", "--cancel");
	expect(cancelled).toMatchObject({ code: 0, stdout: "Cancelled. Before that: nothing found.\n" });
	expect((await sources("show", "Slow")).stdout).toMatch(/\n {2}status +cancelled\n/);
	const again = await sources("sync", "Slow", "--cancel");
	expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("stemma sources show") });
	await server.close();
});

it.each([
	[["add", "folder", "/"], "folder_not_allowed|does not allow this folder"],
	[["add", "ftp", "x"], "Expected one of url, site, git, s3, folder"],
	[["add", "url", "https://a.example/", "--ref", "main"], 'kind "url" has no --ref'],
	[["add", "s3", "bucket"], "must be s3://<bucket>/<prefix>"],
	[["show", "None"], 'no source "None"'],
	[["update", "None", "--every", "4"], "Expected a whole number from 5"],
])("refuses %j with what to do", async (args, message) => {
	expect(await sources(...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
});
