import { mkdtempSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createDiskSpace } from "./disk-space";

const MEBIBYTE = 1024 * 1024;
let folder: string;
let log: object[];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-space-"));
	log = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const logger = { warn: (line: object) => void log.push(line), info: (line: object) => void log.push(line) };
const open = (reserveBytes: number) => createDiskSpace(folder, { reserveBytes, logger });

function countFree(): number {
	const { bavail, bsize } = statfsSync(folder);
	return bavail * bsize;
}

it("lets things grow as long as more than the reserve is left", async () => {
	const disk = open(8 * MEBIBYTE);
	await disk.check();
	disk.assertSpace();
	expect(() => disk.assertSpace(countFree())).toThrow(expect.objectContaining({ code: "storage_full" }));
	expect([disk.listWarnings(), log]).toEqual([[], []]);
	expect(statSync(join(folder, "ballast"))).toMatchObject({ size: 2 * MEBIBYTE, mode: 0o100600 });
});

it("refuses growth, and warns, below the reserve", async () => {
	const disk = open(countFree() * 2);
	await disk.check();
	expect(() => disk.assertSpace()).toThrow(expect.objectContaining({ code: "storage_full" }));
	expect(disk.listWarnings()).toMatchObject([{ code: "storage_low" }]);
	await disk.check();
	expect(log).toMatchObject([{ code: "storage_low" }]);
	expect(readdirSync(folder)).toEqual([]);
});

it("has neither reserve nor ballast where the reserve is 0", async () => {
	const disk = open(0);
	await disk.check();
	disk.assertSpace(countFree() - 64 * MEBIBYTE);
	expect([readdirSync(folder), disk.listWarnings()]).toEqual([[], []]);
});

it("lets writes go on where the disk cannot be looked at, and says so once", async () => {
	const disk = open(8 * MEBIBYTE);
	await disk.check();
	const missingFolder = `${folder}-away`;
	renameSync(folder, missingFolder);
	disk.prepareWrite();
	disk.prepareWrite();
	expect(log).toMatchObject([{ err: { code: "ENOENT" } }]);
	renameSync(missingFolder, folder);
	disk.prepareWrite();
	renameSync(folder, missingFolder);
	disk.prepareWrite();
	expect(log).toHaveLength(2);
	renameSync(missingFolder, folder);
});
