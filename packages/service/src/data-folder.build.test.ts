import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { CreatedWorkspace, KnowledgeBase } from "@stemma/client";
import { isStemmaError } from "@stemma/core/errors";
import * as built from "@stemma/service";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sendTo } from "./test-support/send-request";
import { listDatabases } from "./test-support/stored-rows";
import { getBody } from "./test-support/tenant";
import { fetchToken, toTestConfiguration } from "./test-support/test-deployment";

const script = fileURLToPath(new URL("./knowledge/test-support/serve.mjs", import.meta.url));

let folder: string;
let data: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-folder-"));
	data = join(folder, "data");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (options: built.ServiceOptions = {}) =>
	built.createService(toTestConfiguration(built, data), options);

async function makeData(): Promise<void> {
	await (await open()).close(0);
}

/** The code of why a service does not start. */
async function readStartError(): Promise<string> {
	try {
		await makeData();
	} catch (error) {
		if (isStemmaError(error)) return error.code;
		throw error;
	}
	return "it starts";
}

/** Everything in the data folder and itself, with its mode. */
function listModes(): readonly (readonly [name: string, mode: string])[] {
	const names = readdirSync(data, { recursive: true, encoding: "utf8" });
	return ["", ...names].map((name) => {
		const status = lstatSync(join(data, name));
		const kind = status.isDirectory() ? "folder" : "file";
		return [name, `${kind} ${(status.mode & 0o777).toString(8)}`];
	});
}

const isPrivate = ([, mode]: readonly [string, string]): boolean =>
	mode === "folder 700" || mode === "file 600";

/** Serves the folder in a process of its own, under a umask. */
async function serve(umask: string) {
	const child = spawn("sh", ["-c", `umask ${umask}; exec "$0" "$@"`, process.execPath, script, data], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const exited = once(child, "exit");
	const [line] = await Promise.race([
		once(child.stdout, "data"),
		exited.then(() => Promise.reject(new Error("The service does not start."))),
	]);
	const { url, credentials } = JSON.parse(String(line));
	const send = sendTo(fetch, await fetchToken(sendTo(fetch, undefined, url), credentials), url);
	const end = async () => {
		child.kill("SIGKILL");
		await exited.catch(() => undefined);
	};
	return { send, end };
}

describe("the files of a data folder", () => {
	it("are for their owner alone, whatever the umask", async () => {
		mkdirSync(data, { mode: 0o777 });
		chmodSync(data, 0o777);
		const { send, end } = await serve("000");
		try {
			await getBody<CreatedWorkspace>(send("POST", "/v1/workspaces", { json: { name: "other" } }));
			const base = await getBody<KnowledgeBase>(send("POST", "/v1/knowledge-bases", { json: { name: "a" } }));
			await getBody(send("POST", `/v1/knowledge-bases/${base.id}/documents`, { json: { text: "Words." } }));
			const modes = listModes();
			expect(modes.map(([name]) => name)).toEqual(
				expect.arrayContaining([
					"deployment.sqlite",
					"deployment.sqlite-wal",
					"deployment.sqlite-shm",
					"first-credentials.json",
					"lock.sqlite",
				]),
			);
			expect(modes.filter((entry) => !isPrivate(entry))).toEqual([]);
		} finally {
			await end();
		}
	});

	it("of an installation from before are closed to others at the start, and the log says so", async () => {
		await makeData();
		const [, workspace = ""] = listDatabases(data);
		for (const file of [...listDatabases(data), join(data, "first-credentials.json")]) chmodSync(file, 0o664);
		for (const at of [data, join(data, "workspaces")]) chmodSync(at, 0o755);
		const lines: { readonly code?: string; readonly files?: readonly string[] }[] = [];
		const logger = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
		await (await open({ logger })).close(0);
		expect(listModes().filter((entry) => !isPrivate(entry))).toEqual([]);
		const line = lines.find(({ code }) => code === "data_folder_tightened");
		expect(line?.files).toEqual(expect.arrayContaining([".", "workspaces", relative(data, workspace)]));
		lines.length = 0;
		await (await open({ logger })).close(0);
		expect(lines).toEqual([]);
	});

	it("are in a folder that keeps its mode where other things are in it", async () => {
		mkdirSync(data, { mode: 0o755 });
		writeFileSync(join(data, "letter.txt"), "", { mode: 0o644 });
		await makeData();
		expect(statSync(data).mode & 0o777).toBe(0o755);
		expect(statSync(join(data, "letter.txt")).mode & 0o777).toBe(0o644);
		for (const file of listDatabases(data)) expect(statSync(file).mode & 0o777).toBe(0o600);
	});
});

describe("a link in the place of a file", () => {
	it.each([
		"first-credentials.json",
		"deployment.sqlite",
		"deployment.sqlite-wal",
		"lock.sqlite",
		"workspaces",
	])("keeps a new service from starting, and nothing is written through it: %s", async (name) => {
		mkdirSync(data, { mode: 0o700 });
		const target = join(folder, "elsewhere");
		symlinkSync(target, join(data, name));
		expect(await readStartError()).toBe("storage_unsafe");
		expect(existsSync(target)).toBe(false);
		if (name === "workspaces") mkdirSync(target);
		else writeFileSync(target, "");
		expect(await readStartError()).toBe("storage_unsafe");
		expect(name === "workspaces" ? readdirSync(target) : readFileSync(target, "utf8")).toHaveLength(0);
	});

	it("does not lend a new deployment credentials that somebody else knows", async () => {
		await makeData();
		const known = join(folder, "known.json");
		renameSync(join(data, "first-credentials.json"), known);
		rmSync(data, { recursive: true });
		mkdirSync(data, { mode: 0o700 });
		symlinkSync(known, join(data, "first-credentials.json"));
		expect(await readStartError()).toBe("storage_unsafe");
	});
});

describe("a second service", () => {
	it.each(["deleted", "replaced"])("is kept out when the lock file was %s", async (how) => {
		const { end } = await serve("022");
		try {
			rmSync(join(data, "lock.sqlite"));
			if (how === "replaced") writeFileSync(join(data, "lock.sqlite"), "");
			for (let tries = 0; tries < 2; tries++) expect(await readStartError()).toBe("data_folder_in_use");
		} finally {
			await end();
		}
		await makeData();
	});
});

describe.skipIf(process.getuid?.() !== 0)("a file of another user", () => {
	it("with first credentials is not believed", async () => {
		await makeData();
		const text = readFileSync(join(data, "first-credentials.json"));
		rmSync(data, { recursive: true });
		mkdirSync(data, { mode: 0o700 });
		writeFileSync(join(data, "first-credentials.json"), text, { mode: 0o600 });
		spawnSync("chown", ["65534", join(data, "first-credentials.json")]);
		expect(await readStartError()).toBe("storage_unsafe");
	});
});
