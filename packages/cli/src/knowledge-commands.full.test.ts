import { type ChildProcess, execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	type CommandOutput,
	createTestCli,
	main,
	type TestCli,
	waitForExit,
	waitForOutput,
} from "./test-support/command";

let cli: TestCli;
let service: ChildProcess;
beforeAll(async () => {
	cli = await createTestCli();
	service = cli.start(["serve", "--port", "0"]);
	await waitForOutput(service, /listens on (\S+)\n/);
	await mkdir(inFolder("docs/deep"), { recursive: true });
	for (const [name, content] of Object.entries(FILES)) await writeFile(inFolder(`docs/${name}`), content);
	// One of them fails.
	expect((await cli.stemma("ingest", "docs", "--kb", "handbook", "--create")).code).toBe(1);
});
afterAll(async () => {
	service.kill();
	await waitForExit(service);
	await cli.close();
});

const LEAVE = "# Leave\n\n## Parental leave\n\nParents get 16 weeks of paid leave.\n";
const FEES = "Service,Fee\nSwimming,12.50\nSauna,20.00\nTowel,1.50\n";
const FILES = { "leave.md": LEAVE, "deep/fees.csv": FEES, "scan.pdf": "%PDF-1.4\nbroken" };

const MAIL = [
	"Subject: The move",
	'Content-Type: multipart/mixed; boundary="b"',
	"",
	"--b\nContent-Type: text/plain\n\nSee below.",
	'--b\nContent-Type: text/markdown\nContent-Disposition: attachment; filename="keys.md"\n\nThe keys are in the safe.',
	"--b--\n",
].join("\n");

const inFolder = (name: string): string => join(cli.folder, name);

const stemma = (...args: readonly string[]): Promise<CommandOutput> => cli.stemma(...args);

const docs = (...args: readonly string[]): Promise<CommandOutput> =>
	stemma("docs", ...args, "--kb", "handbook");

describe("stemma kb", () => {
	it("lists knowledge bases and shows one, by name and by id", async () => {
		const listed = await stemma("kb", "list");
		expect(listed.stdout).toMatch(/^ {2}SLUG +NAME +DOCUMENTS +FAILED +PASSAGES +CREATED +ID\n/);
		expect(listed.stdout).toMatch(/\n {2}handbook +handbook +3 +1 +2 +\d{4}-\d\d-\d\d +kb_[0-9a-z]{26}\n/);
		const [{ id }] = JSON.parse((await stemma("kb", "list", "--json")).stdout);
		const shown = await stemma("kb", "show", id);
		expect(shown).toEqual({
			code: 0,
			stdout: expect.stringMatching(
				/^ {2}slug +handbook\n {2}name +handbook\n.*\n {2}documents +3: 2 ready, 1 failed\n/s,
			),
			stderr: expect.stringContaining(`stemma docs list --kb handbook --status failed`),
		});
		expect(JSON.parse((await stemma("kb", "show", "handbook", "--json")).stdout)).toMatchObject({
			id,
			documents: { total: 3, ready: 2, failed: 1 },
		});
	});

	it("creates one, once for each name, and deletes it", async () => {
		const created = await stemma("kb", "create", "pay", "--description", "Salaries");
		expect(created).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^Created pay \(kb_\w+\)\.\n$/),
		});
		expect((await stemma("kb", "show", "pay")).stdout).toMatch(/\n {2}description +Salaries\n/);
		const again = await stemma("kb", "create", "pay");
		expect(again).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("already") });
		expect(await stemma("kb", "delete", "pay")).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("--yes"),
		});
		expect((await stemma("kb", "show", "pay")).code).toBe(0);
		expect(await stemma("kb", "delete", "pay", "--yes")).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^Deleted pay \(kb_\w+\) with 0 documents\.\n$/),
		});
		expect((await stemma("kb", "show", "pay")).code).toBe(1);
	});

	it.each([
		["kb", "show", "handbok"],
		["kb", "delete", "handbok", "--yes"],
		["docs", "list", "--kb", "handbok"],
		["search", "leave", "--kb", "handbok"],
	])("says which was probably meant: %s %s", async (...args) => {
		const { code, stdout, stderr } = await stemma(...args);
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
		expect(stderr).toContain('Did you mean "handbook"?');
	});
});

describe("stemma docs", () => {
	it("lists documents, with the error of those that failed", async () => {
		const { code, stdout } = await docs("list");
		expect(code).toBe(0);
		expect(stdout).toMatch(/^ {2}STATUS +FORMAT +PASSAGES +SIZE +ID +DOCUMENT\n/);
		expect(stdout).toMatch(/\n {2}ready +csv +1 +\d+ bytes +doc_[0-9a-z]{26} +deep\/fees\.csv\n/);
		expect(stdout).toMatch(/\n {2}failed +pdf +0 +15 bytes +doc_[0-9a-z]{26} +scan\.pdf\n +unreadable: .+\n/);
		const failed = await docs("list", "--status", "failed", "--json");
		expect(JSON.parse(failed.stdout)).toEqual([
			expect.objectContaining({ source: "scan.pdf", error: expect.objectContaining({ code: "unreadable" }) }),
		]);
		expect((await docs("list", "--status", "queued")).stdout).toBe("No queued documents were found.\n");
	});

	it("lists all pages, or no more than was asked for", async () => {
		await mkdir(inFolder("many"));
		for (let number = 0; number < 120; number++)
			await writeFile(inFolder(`many/${number}.txt`), `Note ${number}.\n`);
		await stemma("ingest", "many", "--kb", "many", "--create");
		const all = JSON.parse((await stemma("docs", "list", "--kb", "many", "--json")).stdout);
		expect(all).toHaveLength(120);
		const some = await stemma("docs", "list", "--kb", "many", "--limit", "110", "--json");
		expect(JSON.parse(some.stdout)).toHaveLength(110);
	});

	it("lists attachments below their mail, which ingest neither counts nor removes", async () => {
		await mkdir(inFolder("mails"));
		await writeFile(inFolder("mails/move.eml"), MAIL);
		const ingest = () => stemma("ingest", "mails", "--kb", "mails", "--create", "--prune", "--json");
		expect(JSON.parse((await ingest()).stdout)).toMatchObject({ new: 1, removed: 0 });
		expect(JSON.parse((await ingest()).stdout)).toMatchObject({ new: 0, unchanged: 1, removed: 0 });
		const { stdout } = await stemma("docs", "list", "--kb", "mails");
		expect(stdout).toMatch(/ move\.eml\n.* ready .* └ keys\.md \(attached to: The move\)\n$/);
	});

	it("shows one, with what to do where it failed", async () => {
		const { stdout } = await docs("show", "scan.pdf");
		expect(stdout).toMatch(/\n {2}status +failed\n {2}error +unreadable: .+\n {2}what to do +\S.+\n/);
		const { id } = JSON.parse((await docs("show", "leave.md", "--json")).stdout);
		expect((await docs("show", id)).stdout).toMatch(/^ {2}title +Leave\n {2}source +leave\.md\n/);
	});

	it.each([
		["leave.mb", "leave.md"],
		["./somewhere/fees.csv", "deep/fees.csv"],
	])("says which was probably meant by %s", async (name, meant) => {
		const { code, stdout, stderr } = await docs("show", name);
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
		expect(stderr).toContain(`Did you mean "${meant}"?`);
	});

	it("prints the text as it was read", async () => {
		expect(await docs("text", "leave.md")).toEqual({ code: 0, stdout: LEAVE, stderr: "" });
		const { text } = JSON.parse((await docs("text", "deep/fees.csv", "--json")).stdout);
		expect(text).toContain("Sauna | 20.00");
		const failed = await docs("text", "scan.pdf");
		expect(failed).toMatchObject({
			code: 1,
			stdout: "",
			stderr: expect.stringContaining("stemma docs show"),
		});
	});

	it("writes the original to a pipe, to a file and into a folder, and replaces nothing unasked", async () => {
		expect(await docs("open", "deep/fees.csv")).toEqual({ code: 0, stdout: FEES, stderr: "" });
		await mkdir(inFolder("saved"));
		expect((await docs("open", "deep/fees.csv", "--out", "saved")).code).toBe(0);
		expect(await readFile(inFolder("saved/fees.csv"), "utf8")).toBe(FEES);
		const refused = await docs("open", "leave.md", "--out", "saved/fees.csv");
		expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--force") });
		expect(await readFile(inFolder("saved/fees.csv"), "utf8")).toBe(FEES);
		const replaced = await docs("open", "leave.md", "--out", "saved/fees.csv", "--force", "--json");
		expect(JSON.parse(replaced.stdout)).toMatchObject({
			path: "saved/fees.csv",
			size_bytes: LEAVE.length,
			sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
		});
		expect(await readFile(inFolder("saved/fees.csv"), "utf8")).toBe(LEAVE);
		expect(await readdir(inFolder("saved"))).toEqual(["fees.csv"]);
		expect(await docs("open", "leave.md", "--out", "nowhere/leave.md")).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("no folder nowhere"),
		});
	});

	it("deletes documents when that is confirmed, all or none of those that are named", async () => {
		await writeFile(inFolder("a.txt"), "First.\n");
		await writeFile(inFolder("b.txt"), "Second.\n");
		await stemma("ingest", "a.txt", "b.txt", "--kb", "drafts", "--create");
		const drafts = (...args: readonly string[]) => stemma("docs", ...args, "--kb", "drafts");
		const countLeft = async () => JSON.parse((await drafts("list", "--json")).stdout).length;
		expect((await drafts("delete", "a.txt")).stderr).toContain("--yes");
		expect((await drafts("delete", "a.txt", "c.txt", "--yes")).code).toBe(1);
		expect(await countLeft()).toBe(2);
		expect(await drafts("delete", "a.txt", "b.txt", "--yes")).toMatchObject({
			code: 0,
			stdout: "Deleted 2 documents.\n",
		});
		expect(await countLeft()).toBe(0);
	});
});

describe("the slug of a knowledge base", () => {
	it("is chosen, changed and kept while agents name it", async () => {
		const created = await stemma("kb", "create", "Travel & expenses", "--slug", "travel");
		expect(created.stdout).toMatch(/^Created travel \("Travel & expenses", kb_\w+\)\.\n$/);
		const nodes = [
			{ id: "desk", kind: "coordinator" },
			{ id: "pages", kind: "knowledge", knowledgeBases: ["travel"] },
		];
		const graph = { nodes, edges: [{ from: "desk", to: "pages" }] };
		const file = join(cli.folder, "travel-desk.json");
		await writeFile(file, JSON.stringify(graph).replace("travel", "travl"));
		expect(await stemma("agents", "push", file)).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('Did you mean "travel"'),
		});
		await writeFile(file, JSON.stringify(graph));
		expect((await stemma("agents", "push", file)).code).toBe(0);
		for (const args of [
			["delete", "travel", "--yes"],
			["update", "travel", "--slug", "trips"],
		])
			expect(await stemma("kb", ...args)).toMatchObject({
				code: 1,
				stderr: expect.stringMatching(/"travel-desk".*--force/s),
			});
		expect((await stemma("kb", "update", "travel")).stderr).toContain("--slug");
		const renamed = await stemma("kb", "update", "travel", "--slug", "trips", "--name", "Trips", "--force");
		expect(renamed.stdout).toMatch(/^Updated trips \("Trips", kb_\w+\)\.\n$/);
		expect((await stemma("kb", "show", "travel")).stderr).toContain("There is no knowledge base");
		expect((await stemma("kb", "delete", "trips", "--yes")).code).toBe(0);
	});
});

describe("stemma agents run", () => {
	it("prints the answer of a stored agent with its sources, or its events", async () => {
		const graph = {
			nodes: [
				{ id: "desk", kind: "coordinator" },
				{ id: "pages", kind: "knowledge", knowledgeBases: ["handbook"] },
			],
			edges: [{ from: "desk", to: "pages", mode: "before" }],
		};
		const file = join(cli.folder, "leave-desk.json");
		await writeFile(file, JSON.stringify(graph));
		expect((await stemma("agents", "push", file)).code).toBe(0);
		const question = "How many weeks of paid leave do parents get?";
		const { code, stdout } = await stemma("agents", "run", "leave-desk", question);
		expect([code, stdout.includes("16 weeks"), stdout.includes("Sources")]).toEqual([0, true, true]);
		const events = (await stemma("agents", "run", "leave-desk", question, "--json")).stdout
			.trim()
			.split("\n");
		expect(JSON.parse(events.at(-1) ?? "")).toMatchObject({ type: "run.completed" });
		expect(await stemma("agents", "run", "nobody", question)).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("stemma agents list"),
		});
	});
});

describe("stemma completion", () => {
	const complete = async (...words: string[]) =>
		(await stemma("complete", "--", ...words)).stdout.split("\n").filter((word) => word !== "");

	it("completes commands, options and names of the service", async () => {
		expect(await complete("kb", "s")).toEqual(["show"]);
		expect(await complete("kb", "show", "--j")).toEqual(["--json"]);
		expect(await complete("search", "--kb", "hand")).toEqual(["handbook"]);
		expect(await complete("docs", "show", "--kb", "handbook", "deep")).toEqual(["deep/fees.csv"]);
	});

	it("is silent where there is no service", async () => {
		const found = await stemma("complete", "--", "kb", "show", "--url", "http://127.0.0.1:1", "");
		expect(found).toEqual({ code: 0, stdout: "", stderr: "" });
	});

	it.each(["bash", "zsh", "fish"])("prints a script for %s", async (shell) => {
		const { code, stdout } = await stemma("completion", shell);
		expect([code, stdout.includes("stemma complete --")]).toEqual([0, true]);
	});

	it("completes in bash without evaluating a name", async () => {
		const { stdout: script } = await stemma("completion", "bash");
		const source = "it's $(touch evil).md";
		await writeFile(inFolder(source), "# A\n\nText.\n");
		expect((await stemma("ingest", source, "--kb", "handbook")).code).toBe(0);
		const words = `COMP_WORDS=(stemma docs show --kb handbook it); COMP_CWORD=5; _stemma; printf '%s' "$COMPREPLY"`;
		const program = `stemma() { "${process.execPath}" "${main}" "$@"; }; ${script}\n${words}`;
		const { stdout } = await promisify(execFile)("bash", ["-c", program], { cwd: cli.folder });
		expect(stdout).toBe("it\\'s\\ \\$\\(touch\\ evil\\).md");
		expect(await readdir(cli.folder)).not.toContain("evil");
	});
});

describe("stemma docs retry", () => {
	it("reads what failed again, and says how that ended", async () => {
		const retried = await docs("retry");
		expect(retried).toMatchObject({ code: 1, stdout: expect.stringMatching(/\n {2}failed /) });
		const one = await docs("retry", "leave.md");
		expect(one).toMatchObject({ code: 0, stdout: expect.stringMatching(/\n {2}ready .*leave\.md\n/) });
	});
});

describe("stemma search", () => {
	it("prints passages with their document, score and place", async () => {
		const { code, stdout, stderr } = await stemma("search", "weeks of parental leave", "--kb", "handbook");
		expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
		expect(stdout).toMatch(
			/^\[1\] {2}Leave {2}score 100 %\n {5}handbook: leave\.md › Parental leave\n {5}Parents get 16 weeks of paid leave\.\n/,
		);
		const sauna = await stemma("search", "sauna", "--kb", "handbook", "--top-k", "1");
		expect(sauna.stdout).toMatch(/\n {5}handbook: deep\/fees\.csv, cells A1:B4\n/);
	});

	it("prints JSON, takes words from a pipe, and searches all knowledge bases", async () => {
		const child = cli.start(["search", "--json", "--top-k", "1"]);
		const outcome = waitForExit(child);
		child.stdin?.end("parental leave\n");
		const { code, stdout } = await outcome;
		expect(code).toBe(0);
		expect(JSON.parse(stdout).passages).toEqual([
			expect.objectContaining({ source: "leave.md", score: expect.any(Number) }),
		]);
	});

	it("says that nothing was found, and what is wrong with what was given", async () => {
		const nothing = await stemma("search", "xylophone", "--kb", "handbook");
		expect(nothing).toEqual({ code: 0, stdout: "Nothing was found.\n", stderr: "" });
		expect((await stemma("search", " ")).stderr).toContain("stemma search");
		expect((await stemma("search", "leave", "--top-k", "0")).code).toBe(1);
	});
});

it.each(["kb", "docs", "search"])("stemma help %s explains it with examples", async (name) => {
	const { code, stdout } = await stemma("help", name);
	expect(code).toBe(0);
	expect(stdout).toMatch(new RegExp(`Exit codes: 0 .*Examples:\n  stemma ${name} `, "s"));
});
