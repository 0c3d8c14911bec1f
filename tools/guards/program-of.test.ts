import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { programOf } from "../../scripts/program-of.mjs";

let folder = "";
beforeAll(() => {
	folder = join(mkdtempSync(join(tmpdir(), "stemma-program-")), "my files", ".bin");
	mkdirSync(folder, { recursive: true });
	const script = "#!/usr/bin/env node\nconsole.log(JSON.stringify(process.argv.slice(2)));\n";
	writeFileSync(join(folder, "program"), script, { mode: 0o755 });
});
afterAll(() => rmSync(join(folder, "../.."), { recursive: true, force: true }));

const ARGS = ["run", "a file.ts", "--name=x"];

it("starts the program itself, without a shell", () => {
	const { command, args, shell } = programOf("linux", join(folder, "program"), ARGS);
	expect(shell).toBe(false);
	expect(JSON.parse(execFileSync(command, args, { encoding: "utf8" }))).toEqual(ARGS);
});

it("starts what is no program of a package itself, also on Windows", () => {
	expect(programOf("win32", "C:\\Program Files\\nodejs\\node.exe", ARGS)).toMatchObject({
		shell: false,
		args: ARGS,
	});
});

it("starts npm by a shell on Windows alone, where it is a command file: its name unquoted, as it looks beside itself", () => {
	const args = ["exec", "--package=C:\\Users\\Ada L\\pnpm.tgz", "--", "pnpm"];
	expect(programOf("win32", "npm", args)).toEqual({
		command: 'npm exec "--package=C:\\Users\\Ada L\\pnpm.tgz" -- pnpm',
		args: [],
		shell: true,
	});
	expect(programOf("darwin", "npm", args)).toEqual({ command: "npm", args, shell: false });
});

// The quotes of both kinds of shells are the same as far as that.
it("starts it by a shell on Windows, also from a path with blanks", () => {
	const { command, args, shell } = programOf("win32", join(folder, "program"), ARGS);
	expect(shell).toBe(true);
	const { stdout } = spawnSync(command, args, { shell, encoding: "utf8" });
	expect(JSON.parse(stdout)).toEqual(ARGS);
});
