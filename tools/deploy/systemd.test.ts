import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const unitFile = new URL("../../deploy/systemd/stemma.service", import.meta.url);
/** Exposure by the measure of systemd, of 10 at the most; services that are open to all have 9.6. */
const MAX_EXPOSURE = 30;

const hasSystemd = ((): boolean => {
	try {
		execFileSync("systemd-analyze", ["--version"], { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
})();

let folder: string;
let unit: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-unit-"));
	unit = join(folder, "stemma.service");
	// Program and user of this machine: those of the unit need not be here.
	const text = (await readFile(unitFile, "utf8"))
		.replace("ExecStart=/usr/bin/node", `ExecStart=${process.execPath}`)
		.replace("User=stemma", "User=daemon")
		.replace("Group=stemma", "Group=daemon");
	await writeFile(unit, text);
});
afterAll(() => rm(folder, { recursive: true }));

it.skipIf(!hasSystemd)("has nothing that systemd does not know", async () => {
	const { stdout, stderr } = await promisify(execFile)("systemd-analyze", ["verify", unit]);
	expect((stdout + stderr).split("\n").filter((line) => line.includes("stemma.service"))).toEqual([]);
});

it.skipIf(!hasSystemd)("gives the service no more rights than it needs", async () => {
	const args = ["security", "--offline=yes", "--no-pager", `--threshold=${MAX_EXPOSURE}`, unit];
	const { stdout } = await promisify(execFile)("systemd-analyze", args);
	expect(stdout).toContain("Overall exposure level");
});

it("is given more time to end than the service takes", async () => {
	const text = await readFile(unitFile, "utf8");
	expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])).toBeGreaterThan(15);
	// V8 makes memory executable.
	expect(text).not.toContain("MemoryDenyWriteExecute");
});
