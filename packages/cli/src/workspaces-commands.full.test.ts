import { type ChildProcess, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	type CommandOutput,
	createTestCli,
	type TestCli,
	waitForExit,
	waitForOutput,
} from "./test-support/command";

let cli: TestCli;
let service: ChildProcess | undefined;

const serve = async (): Promise<void> => {
	service = cli.start(["serve", "--port", "0"]);
	await waitForOutput(service, /listens on (\S+)\n/);
};
const stop = async (): Promise<void> => {
	if (service === undefined) return;
	service.kill();
	await waitForExit(service);
	service = undefined;
};
beforeAll(async () => {
	cli = await createTestCli();
	await serve();
});
afterAll(async () => {
	await stop();
	await cli.close();
});

/** Variables that `create` prints, as a shell reads them. */
const readLines = (text: string): Record<string, string> =>
	Object.fromEntries(
		text
			.trim()
			.split("\n")
			.map((line) => line.split("=", 2)),
	);

async function stemmaAs(
	variables: Record<string, string>,
	...args: readonly string[]
): Promise<CommandOutput> {
	const child = cli.start(args, variables);
	child.stdin?.end();
	return waitForExit(child);
}

const workspaces = (...args: readonly string[]): Promise<CommandOutput> => cli.stemma("workspaces", ...args);
const listNames = async (): Promise<string[]> =>
	JSON.parse((await workspaces("list", "--json")).stdout).map(({ name }: { name: string }) => name);

describe("stemma workspaces", () => {
	it("creates, lists, renames and deletes", async () => {
		const created = await workspaces("create", "Billing");
		expect(created).toMatchObject({ code: 0, stderr: expect.stringContaining("shown only once") });
		const { STEMMA_CLIENT_KEY, ...credentials } = readLines(created.stdout);
		expect(STEMMA_CLIENT_KEY).toMatch(/^ck_/);
		const clients = await stemmaAs(credentials, "clients", "list", "--json");
		expect(JSON.parse(clients.stdout)).toHaveLength(1);
		const refused = await stemmaAs(credentials, "workspaces", "list");
		expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--scopes deployment:write") });

		expect((await workspaces("list")).stdout).toMatch(
			/^ {2}ID +NAME +CREATED +STATUS +STORED\n {2}ws_\S+ +default .*\n.*Billing/,
		);
		const taken = await workspaces("create", "Billing");
		expect(taken).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("name") });
		expect((await workspaces("rename", "Billing", "Accounting")).stdout).toContain('"Accounting" now.');
		expect(await listNames()).toEqual(["default", "Accounting"]);

		const unsure = await workspaces("delete", "Accounting");
		expect(unsure).toMatchObject({ code: 1, stderr: expect.stringContaining("--yes") });
		const unknown = await workspaces("delete", "Billing", "--yes");
		expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("Accounting") });
		expect((await workspaces("delete", "Accounting", "--yes")).stdout).toContain("Deleted");
		expect(await listNames()).toEqual(["default"]);
		expect((await stemmaAs(credentials, "clients", "list")).code).toBe(1);
		const last = await workspaces("delete", "default", "--yes");
		expect(last).toMatchObject({ code: 1, stderr: expect.stringContaining("workspaces create") });
	});

	it("prints JSON", async () => {
		const created = JSON.parse((await workspaces("create", "JSON", "--json")).stdout);
		expect(created).toMatchObject({ name: "JSON", client_secret: expect.stringMatching(/^cs_/) });
		const renamed = await workspaces("rename", created.id, "Renamed", "--json");
		expect(JSON.parse(renamed.stdout)).toEqual({
			id: created.id,
			name: "Renamed",
			created_at: created.created_at,
			status: "available",
			storage_bytes: expect.any(Number),
		});
		const deleted = await workspaces("delete", created.id, "--yes", "--json");
		expect(JSON.parse(deleted.stdout)).toEqual({ id: created.id, deleted: true });
	});

	it("has help for each of them", async () => {
		for (const name of ["create", "list", "rename", "delete"])
			expect((await workspaces(name, "--help")).stdout).toContain("deployment:write");
	});

	it.skipIf(spawnSync("script", ["--version"]).status !== 0)("asks for the name on a terminal", async () => {
		await workspaces("create", "Asked");
		const main = [process.execPath, join(import.meta.dirname, "../dist/main.js")].join(" ");
		const run = (typed: string): string => {
			const { stdout } = spawnSync(
				"script",
				["-qec", `${main} workspaces delete Asked --data ${cli.folder}/stemma-data`, "/dev/null"],
				{ cwd: cli.folder, input: `${typed}\n`, encoding: "utf8", timeout: 60_000 },
			);
			return stdout;
		};
		expect(run("no")).toContain("Nothing was done.");
		expect(await listNames()).toContain("Asked");
		expect(run("Asked")).toContain("Deleted");
		expect(await listNames()).not.toContain("Asked");
	});
});

describe("a data folder from before", () => {
	const data = () => join(cli.folder, "stemma-data");
	const createOperator = () =>
		cli.stemma("clients", "create", "--data", data(), "--scopes", "deployment:write");

	/** As the first client of such a folder was made. */
	function narrowFirstClient(): void {
		const database = new DatabaseSync(join(data(), "deployment.sqlite"));
		database.exec(
			`UPDATE clients SET scopes = '["ask","keys:write","settings:read"]'; DELETE FROM access_tokens`,
		);
		database.close();
	}

	it("gets a client that manages workspaces, while the service runs and while it does not", async () => {
		narrowFirstClient();
		expect((await workspaces("list")).code).toBe(1);
		const running = await createOperator();
		expect(running).toMatchObject({ code: 0, stderr: expect.stringContaining("shown only once") });
		expect((await stemmaAs(readLines(running.stdout), "workspaces", "list")).code).toBe(0);
		await stop();
		const stopped = await createOperator();
		expect(stopped.code).toBe(0);
		await serve();
		const { STEMMA_CLIENT_ID, STEMMA_CLIENT_SECRET } = readLines(stopped.stdout);
		const credentials = {
			STEMMA_CLIENT_ID: `${STEMMA_CLIENT_ID}`,
			STEMMA_CLIENT_SECRET: `${STEMMA_CLIENT_SECRET}`,
		};
		expect((await stemmaAs(credentials, "workspaces", "create", "Second")).code).toBe(0);
		expect((await stemmaAs(credentials, "ask", "Anything?")).code).toBe(1);
		const audit = JSON.parse((await cli.stemma("audit", "--action", "client.created", "--json")).stdout);
		expect(audit[0]).toMatchObject({
			actor: "operator",
			target: STEMMA_CLIENT_ID,
			details: { scopes: ["deployment:write"] },
		});
		const first = JSON.parse(await readFile(join(data(), "first-credentials.json"), "utf8"));
		expect(first).toHaveProperty("client_secret");
	});

	it("shows the address of its own service alone", async () => {
		await stop();
		const elsewhere = { STEMMA_BASE_URL: "http://127.0.0.1:9" };
		const args = ["clients", "create", "--data", data(), "--scopes", "deployment:write"];
		const stopped = await stemmaAs(elsewhere, ...args);
		expect([stopped.code, Object.keys(readLines(stopped.stdout))]).toEqual([
			0,
			["STEMMA_CLIENT_ID", "STEMMA_CLIENT_SECRET"],
		]);
		const named = await stemmaAs(elsewhere, ...args, "--url", "https://stemma.example");
		expect(readLines(named.stdout).STEMMA_BASE_URL).toBe("https://stemma.example");
		await serve();
		const running = readLines((await stemmaAs(elsewhere, ...args)).stdout);
		expect(running.STEMMA_BASE_URL).toMatch(/^http:\/\/127\.0\.0\.1:(?!9$)\d+$/);
	});

	it("is one, or nothing is written", async () => {
		const args = ["clients", "create", "--data", cli.folder, "--scopes", "deployment:write"];
		expect(await cli.stemma(...args)).toMatchObject({
			code: 1,
			stdout: "",
			stderr: expect.stringContaining("not the data folder"),
		});
	});
});

describe("the owner of a data folder whose clients are lost", () => {
	const data = () => join(cli.folder, "stemma-data");
	const loseClients = (): void => {
		const database = new DatabaseSync(join(data(), "deployment.sqlite"));
		database.exec("DELETE FROM access_tokens; DELETE FROM clients");
		database.close();
	};
	const createClient = (...more: readonly string[]) =>
		cli.stemma("clients", "create", "way back in", "--data", data(), ...more);

	it.each(["while the service runs", "while it is stopped"])(
		"gets one that manages the rest, %s",
		async (when) => {
			loseClients();
			expect((await cli.stemma("clients", "list")).code).toBe(1);
			if (when === "while it is stopped") await stop();
			const created = await createClient();
			expect(created).toMatchObject({ code: 0, stderr: expect.stringContaining("shown only once") });
			if (when === "while it is stopped") await serve();
			const { STEMMA_CLIENT_ID = "", STEMMA_CLIENT_SECRET = "" } = readLines(created.stdout);
			const credentials = { STEMMA_CLIENT_ID, STEMMA_CLIENT_SECRET };
			const list = JSON.parse((await stemmaAs(credentials, "clients", "list", "--json")).stdout);
			expect(list).toHaveLength(1);
			expect(list[0].scopes).toHaveLength(10);
			expect(list[0].scopes).not.toContain("deployment:write");
			expect((await stemmaAs(credentials, "clients", "create", "another", "--scope", "ask")).code).toBe(0);
			const [record] = JSON.parse(
				(await stemmaAs(credentials, "audit", "--action", "client.created", "--json")).stdout,
			).filter(({ target }: { target: string }) => target === STEMMA_CLIENT_ID);
			expect(record.actor).toBe("operator");
		},
	);

	it("is told that in the refusal to give the last manager a new secret", async () => {
		loseClients();
		const { STEMMA_CLIENT_ID = "", STEMMA_CLIENT_SECRET = "" } = readLines((await createClient()).stdout);
		const credentials = { STEMMA_CLIENT_ID, STEMMA_CLIENT_SECRET };
		const refused = await stemmaAs(credentials, "clients", "rotate", STEMMA_CLIENT_ID);
		expect(refused).toMatchObject({
			code: 1,
			stdout: "",
			stderr: expect.stringContaining("stemma clients create --data"),
		});
		const all = await createClient("--scopes", "all", "--json");
		expect(JSON.parse(all.stdout).scopes).toHaveLength(11);
	});
});

describe("the first workspace", () => {
	const data = () => join(cli.folder, "stemma-data");
	const createIn = (workspace: string, ...more: readonly string[]) =>
		cli.stemma("clients", "create", "--workspace", workspace, ...more);

	it("is deleted with a client of another workspace, which the hint says how to make", async () => {
		const operator = await cli.stemma("clients", "create", "--data", data(), "--scopes", "deployment:write");
		const first = readLines(operator.stdout);
		expect((await stemmaAs(first, "workspaces", "create", "Next")).code).toBe(0);
		const refused = await stemmaAs(first, "workspaces", "delete", "default", "--yes");
		expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--workspace") });
		const rights = ["--data", data(), "--scopes", "deployment:write"];
		expect(await createIn("Nowhere", ...rights)).toMatchObject({
			code: 1,
			stdout: "",
			stderr: expect.stringContaining("Next"),
		});
		expect(await createIn("Next", "--scopes", "deployment:write")).toMatchObject({ code: 1, stdout: "" });
		const output = await createIn("Next", ...rights);
		expect(output.code).toBe(0);
		const next = readLines(output.stdout);
		expect((await stemmaAs(next, "workspaces", "delete", "default", "--yes")).code).toBe(0);
		const left: { name: string }[] = JSON.parse(
			(await stemmaAs(next, "workspaces", "list", "--json")).stdout,
		);
		expect(left.map(({ name }) => name)).not.toContain("default");
	});
});
