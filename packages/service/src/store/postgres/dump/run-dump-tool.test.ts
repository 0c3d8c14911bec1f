import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type DumpProcess, runDumpTool } from "./run-dump-tool";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-tool-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a shell script as `pg_restore`. */
function runScript(script: string, options: { transfer?: typeof readAll; signal?: AbortSignal } = {}) {
	const path = join(folder, "pg_restore");
	writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
	return runDumpTool(
		{ name: "pg_restore", path, version: 15 },
		{
			url: "postgres://app:a%20password@db.example/stemma",
			arguments: [],
			environment: { PATH: process.env.PATH, STEMMA_ENCRYPTION_KEY: "a key" },
			outcome: "Nothing was restored.",
			advice: "Try again.",
			transfer: readAll,
			...options,
		},
	);
}

async function readAll({ stdin, stdout }: DumpProcess): Promise<void> {
	stdin.end();
	for await (const _ of stdout);
}

it("says why a program failed, without its password, rows and statements", async () => {
	const failed = runScript(`cat >&2 <<END
pg_restore: error: COPY failed for table "runs": ERROR:  $PGPASSWORD is wrong
CONTEXT:  COPY runs, line 4: "a row"
Command was: COPY runs
END
exit 1`);
	await expect(failed).rejects.toMatchObject({
		code: "storage_unavailable",
		message: 'pg_restore failed. pg_restore: error: COPY failed for table "runs": ERROR:  **** is wrong',
		hint: "Nothing was restored. Try again.",
	});
	await expect(runScript("exit 3")).rejects.toMatchObject({ message: expect.stringContaining("no reason") });
});

it("says that a disk of the server is full", async () => {
	const failed = runScript('echo "ERROR:  could not extend file: No space left on device" >&2; exit 1');
	await expect(failed).rejects.toMatchObject({ code: "storage_full" });
});

it("gives a program the address in its environment, and no setting of the service", async () => {
	const output: string[] = [];
	await runScript("env", {
		async transfer({ stdin, stdout }) {
			stdin.end();
			for await (const piece of stdout) output.push(String(piece));
		},
	});
	expect(output.join("")).toContain("PGPASSWORD=a password\n");
	expect(output.join("")).not.toContain("STEMMA");
});

it("says why a program failed that ended before it had read everything", async () => {
	const failed = runScript('echo "pg_restore: error: no such role" >&2; exit 1', {
		async transfer({ stdin }) {
			for (;;)
				await new Promise<void>((resolve, reject) => {
					stdin.write(Buffer.alloc(65_536), (error) => (error ? reject(error) : resolve()));
				});
		},
	});
	await expect(failed).rejects.toMatchObject({ message: expect.stringContaining("no such role") });
});

it("ends a program whose output cannot be stored, or that is stopped", async () => {
	const fail = async (): Promise<void> => {
		throw new Error("The disk is full.");
	};
	await expect(runScript("exec sleep 60", { transfer: fail })).rejects.toThrow("The disk is full.");
	const controller = new AbortController();
	const stopped = runScript("exec sleep 60", { signal: controller.signal });
	controller.abort(new Error("stopped"));
	await expect(stopped).rejects.toThrow("stopped");
});
