import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSpoolBudget } from "../../fairness/upload-budgets";
import { StorageError } from "../storage-error";
import { readSpooled } from "./read-spooled";
import { openSpool, type Spool, type SpoolFile, type SpoolOptions } from "./spool";

let folder: string;
const created: SpoolFile[] = [];
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-spool-"));
});
afterEach(async () => {
	for (const file of created.splice(0)) await file.delete();
	await rm(folder, { recursive: true });
});

const MEBIBYTE = 1024 * 1024;
const unlimitedDisk = { assertSpace: () => undefined };
const failOnError = (error: unknown): never => {
	throw error;
};
async function open(
	limits = { spoolBytes: 100, totalSpoolBytes: 150 },
	options: Partial<SpoolOptions> = {},
): Promise<Spool> {
	const budget = createSpoolBudget(limits);
	const spool = await openSpool(folder, { budget, disk: unlimitedDisk, onError: failOnError, ...options });
	return {
		async create(workspaceId) {
			const file = await spool.create(workspaceId);
			created.push(file);
			return file;
		},
	};
}
const listFiles = () => readdir(join(folder, "spool"));
const toBytes = (text: string) => new TextEncoder().encode(text);

it("keeps several contents in one file, for its owner alone, until it is deleted", async () => {
	const spool = await open();
	const file = await spool.create("ws_a");
	const contents = [];
	for (const text of ["first", "", "second"]) {
		const writer = file.startContent();
		for (const piece of text) await writer.write(toBytes(piece));
		contents.push(writer.end());
	}
	expect(contents.map((content) => new TextDecoder().decode(readSpooled(content)))).toEqual([
		"first",
		"",
		"second",
	]);
	expect(contents.map(({ sha256 }) => sha256)).toEqual(
		["first", "", "second"].map((text) => createHash("sha256").update(text).digest("hex")),
	);
	const [name = ""] = await listFiles();
	expect((await stat(join(folder, "spool", name))).mode & 0o777).toBe(0o600);
	expect((await stat(join(folder, "spool"))).mode & 0o777).toBe(0o700);
	await file.delete();
	await file.delete();
	expect(await listFiles()).toEqual([]);
});

it("is empty when it is opened, and deletes nothing behind a link", async () => {
	const protectedFile = join(folder, "precious");
	await mkdir(protectedFile);
	await writeFile(join(protectedFile, "kept"), "");
	await symlink(protectedFile, join(folder, "spool"));
	await (await open()).create("ws_a");
	expect(await listFiles()).toHaveLength(1);
	await open();
	expect(await listFiles()).toEqual([]);
	expect(await readdir(protectedFile)).toEqual(["kept"]);
});

it("takes no more than the share of a workspace, and gives it back", async () => {
	const spool = await open();
	const first = await spool.create("ws_a");
	await first.startContent().write(new Uint8Array(90));
	const second = await spool.create("ws_a");
	const over = expect.objectContaining({ code: "too_many_bytes" });
	expect(() => second.checkSpace(11)).toThrow(over);
	await expect(second.startContent().write(new Uint8Array(11))).rejects.toEqual(over);
	const other = await spool.create("ws_b");
	await other.startContent().write(new Uint8Array(60));
	await first.delete();
	await second.startContent().write(new Uint8Array(50));
});

describe("on a disk that gets full while uploads are under way", () => {
	const limits = { spoolBytes: 64 * MEBIBYTE, totalSpoolBytes: 64 * MEBIBYTE };
	const full = expect.objectContaining({ code: "storage_full" });

	it("refuses to write into the reserve, whoever was let in before", async () => {
		const capacity = 32 * MEBIBYTE;
		const path = join(folder, "spool");
		const countStored = (): number =>
			readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
		const disk = {
			assertSpace(bytes = 0) {
				if (countStored() + bytes > capacity) throw new StorageError("full", { code: "storage_full" });
			},
		};
		const spool = await open(limits, { disk });
		const files = await Promise.all([1, 2, 3].map(() => spool.create("ws_a")));
		for (const file of files) file.checkSpace(1);
		expect(() => files[0]?.checkSpace(60 * MEBIBYTE)).toThrow(full);
		const writers = files.map((file) => file.startContent());
		const writeAll = async (): Promise<void> => {
			for (let round = 0; round < 20; round++)
				for (const writer of writers) await writer.write(new Uint8Array(MEBIBYTE));
		};
		await expect(writeAll()).rejects.toEqual(full);
		expect(countStored()).toBeGreaterThan(capacity - 3 * MEBIBYTE);
		expect(countStored()).toBeLessThanOrEqual(capacity);
		await Promise.all(files.map((file) => file.delete()));
	});

	it("looks at the disk once for many small writes, and uses nothing of the budget where it refuses", async () => {
		const diskChecks: (number | undefined)[] = [];
		let isFull = false;
		const assertSpace = (bytes?: number): void => {
			diskChecks.push(bytes);
			if (isFull) throw new StorageError("full", { code: "storage_full" });
		};
		const budget = createSpoolBudget(limits);
		const spool = await open(limits, { disk: { assertSpace }, budget });
		const writers = (await Promise.all(["ws_a", "ws_b"].map(spool.create))).map((file) =>
			file.startContent(),
		);
		for (let piece = 0; piece < 64; piece++)
			for (const writer of writers) await writer.write(new Uint8Array(16 * 1024));
		expect(diskChecks).toEqual([16 * 1024 + MEBIBYTE, 16 * 1024 + MEBIBYTE]);
		isFull = true;
		for (const writer of writers)
			await expect(writer.write(new Uint8Array(2 * MEBIBYTE))).rejects.toEqual(full);
		expect(budget.usedBytes).toBe(2 * MEBIBYTE);
	});
});

it("gives bytes back, and rejects nothing, where a file cannot be deleted", async () => {
	const errors: unknown[] = [];
	const spool = await open(undefined, { onError: (error) => void errors.push(error) });
	const file = await spool.create("ws_a");
	await file.startContent().write(new Uint8Array(100));
	const [name = ""] = await listFiles();
	await rm(join(folder, "spool", name));
	await mkdir(join(folder, "spool", name));
	await file.delete();
	expect(errors).toMatchObject([{ code: "storage_unavailable" }]);
	await (await spool.create("ws_a")).startContent().write(new Uint8Array(100));
});

it.skipIf(process.getuid?.() === 0)("says that the folder cannot be written", async () => {
	const spool = await open();
	await chmod(join(folder, "spool"), 0o500);
	await expect(spool.create("ws_a")).rejects.toMatchObject({ code: "storage_unavailable" });
});
