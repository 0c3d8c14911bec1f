import { spawn, spawnSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { isStemmaError } from "@stemma/core/errors";
import * as built from "@stemma/service";
import { findStablePort } from "@stemma/simulators/processes";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listDatabases } from "./test-support/stored-rows";
import { toTestConfiguration } from "./test-support/test-deployment";

const program = fileURLToPath(new URL("../../cli/dist/main.js", import.meta.url));

let folder: string;
let data: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-start-"));
	data = join(folder, "data");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (at = data, port = 0) =>
	built.startService(toTestConfiguration(built, at, { listen: { host: "127.0.0.1", port } }));

/** Starts and ends a service, so that there is a data folder. */
async function makeData(): Promise<void> {
	await (await start()).close(0);
}

interface Problem {
	readonly name: string;
	readonly code: string;
	/** With its hint. */
	readonly text: string;
}

/** Why the service does not start; whatever it is, nothing stays open behind it. */
async function readStartError(at?: string, port?: number): Promise<Problem> {
	try {
		await (await start(at, port)).close(0);
	} catch (error) {
		if (!isStemmaError(error)) throw new Error("Not one of our errors.", { cause: error });
		return { name: error.name, code: error.code, text: `${error.message} ${error.hint}` };
	}
	throw new Error("It starts.");
}

describe("a start that goes well", () => {
	it("makes the data folder, and all above it, for its owner alone", async () => {
		const deep = join(data, "a", "b");
		await (await start(deep)).close(0);
		expect(statSync(deep).mode & 0o777).toBe(0o700);
		for (const name of ["deployment.sqlite", "first-credentials.json", "workspaces"])
			expect({ name, mode: statSync(join(deep, name)).mode & 0o077 }).toEqual({ name, mode: 0 });
	});

	it("takes an empty folder, and one that it has made before", async () => {
		mkdirSync(data);
		await makeData();
		const credentials = readFileSync(join(data, "first-credentials.json"), "utf8");
		await makeData();
		expect(readFileSync(join(data, "first-credentials.json"), "utf8")).toBe(credentials);
	});
});

describe("a start that fails", () => {
	it("for a port that is taken says which, and what to do", async () => {
		const other = createServer();
		await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
		const { port } = other.address() as { readonly port: number };
		const problem = await readStartError(data, port);
		other.close();
		expect(problem).toMatchObject({ name: "ConfigurationError", code: "port_in_use" });
		expect(problem.text).toMatch(new RegExp(`port ${port}.*another program uses.*--port`, "s"));
	});

	it("for a data folder that is a file, or lies in one", async () => {
		writeFileSync(data, "");
		for (const at of [data, join(data, "deeper")]) {
			const problem = await readStartError(at);
			expect(problem).toMatchObject({ name: "ConfigurationError", code: "data_folder_unusable" });
			expect(problem.text).toContain(at);
			expect(problem.text).toMatch(/not a folder.*--data/s);
		}
	});

	it("for a data folder that is in use, without touching it", async () => {
		const running = await start();
		const problem = await readStartError();
		expect(problem).toMatchObject({ name: "ConfigurationError", code: "data_folder_in_use" });
		expect(problem.text).toMatch(/in use by another service.*Stop that service.*--data/s);
		expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
		await running.close(0);
		await makeData();
	});

	it("leaves the port to the next one", async () => {
		writeFileSync(data, "");
		const port = await findStablePort();
		await readStartError(data, port);
		rmSync(data);
		await (await start(data, port)).close(0);
	});
});

describe("a read-only disk", () => {
	it("is named", async (context) => {
		mkdirSync(data);
		const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", data]);
		if (mounted.status !== 0) return context.skip(`No tmpfs: ${String(mounted.stderr).trim()}`);
		try {
			const problem = await readStartError();
			expect(problem).toMatchObject({ name: "ConfigurationError", code: "data_folder_unusable" });
			expect(problem.text).toMatch(/read-only file system.*--data/s);
		} finally {
			spawnSync("umount", ["-l", data]);
		}
	});

	it("that is full is named", async (context) => {
		mkdirSync(data);
		const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", data]);
		if (mounted.status !== 0) return context.skip(`No tmpfs: ${String(mounted.stderr).trim()}`);
		try {
			expect((await readStartError()).code).toMatch(/storage_full|data_folder_unusable/);
		} finally {
			spawnSync("umount", ["-l", data]);
		}
	});
});

describe("a damaged data folder", () => {
	const damages: Readonly<Record<string, (file: string) => void>> = {
		"other bytes": (file) => writeFileSync(file, "This is no database. ".repeat(1000)),
		"zeros at the beginning": (file) =>
			writeFileSync(file, Buffer.concat([Buffer.alloc(2000), readFileSync(file).subarray(2000)])),
		"half of it": (file) => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096),
	};
	const files: Readonly<Record<string, () => string | undefined>> = {
		deployment: () => listDatabases(data)[0],
		lock: () => join(data, "lock.sqlite"),
	};

	for (const [what, damage] of Object.entries(damages))
		it.each(Object.keys(files))(`is an error that says what to do: ${what} in the file %s`, async (name) => {
			await makeData();
			const file = files[name]?.() ?? "";
			// An empty lock holds nothing that could be damaged.
			if (name === "lock" && what !== "other bytes") return;
			damage(file);
			const before = readFileSync(file);
			const problem = await readStartError();
			expect(problem).toMatchObject({ code: "storage_corrupt" });
			expect(problem.text).toMatch(/damaged.*backup/s);
			expect(readFileSync(file).equals(before)).toBe(true);
		});

	it("names the file that is damaged", async () => {
		await makeData();
		const [file = ""] = listDatabases(data);
		writeFileSync(file, "This is no database. ".repeat(1000));
		expect((await readStartError()).text).toContain(file);
	});

	it("is none that a later version has written", async () => {
		await makeData();
		const [file = ""] = listDatabases(data);
		const database = new DatabaseSync(file);
		database.exec("PRAGMA user_version = 999");
		database.close();
		expect((await readStartError()).text).toMatch(/later (version of )?Stemma/);
	});
});

describe.runIf(existsSync(program))("stemma serve", () => {
	it("ends with 1, and says what to do", async () => {
		writeFileSync(data, "");
		const { code, stderr } = await serve("--data", data, "--port", "0");
		expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/not a folder[\s\S]*--data/) });
		expect(stderr).not.toMatch(/\n\s+at /);
	});

	it("ends with 1 for a damaged folder", async () => {
		await makeData();
		writeFileSync(listDatabases(data)[0] ?? "", "This is no database. ".repeat(1000));
		const { code, stderr } = await serve("--data", data, "--port", "0");
		expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/damaged[\s\S]*backup/) });
		expect(stderr).not.toMatch(/\n\s+at /);
	});
});

function serve(
	...options: readonly string[]
): Promise<{ readonly code: number | null; readonly stderr: string }> {
	const child = spawn(process.execPath, [program, "serve", ...options], {
		cwd: folder,
		stdio: ["ignore", "ignore", "pipe"],
	});
	let stderr = "";
	child.stderr.setEncoding("utf8").on("data", (text) => {
		stderr += text;
	});
	return new Promise((resolve) => child.on("close", (code) => resolve({ code, stderr })));
}

it("warns where providers are configured and none of them answers", async () => {
	const lines: string[] = [];
	const logger = pino({ level: "warn" }, { write: (line: string) => lines.push(line) });
	const main = {
		provider: "openai-compatible",
		base_url: "http://127.0.0.1:9/v1",
		default_model: "m",
	} as const;
	for (const chat of [{}, { chat: "main" }]) {
		const content = { data, providers: { main }, ...chat };
		const service = await built.createService(built.resolveConfiguration({ content }), { logger });
		await service.close(0);
	}
	expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ providers: ["main"] }]);
});
