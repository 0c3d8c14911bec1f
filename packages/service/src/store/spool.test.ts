import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSpoolBudget } from "../fairness/upload-budgets";
import { readSpooled } from "./read-spooled";
import { openSpool } from "./spool";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-spool-"));
});
afterEach(() => rm(folder, { recursive: true }));

const open = (limits = { spoolBytes: 100, totalSpoolBytes: 150 }) =>
	openSpool(folder, createSpoolBudget(limits));
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
	const precious = join(folder, "precious");
	await mkdir(precious);
	await writeFile(join(precious, "kept"), "");
	await symlink(precious, join(folder, "spool"));
	await (await open()).create("ws_a");
	expect(await listFiles()).toHaveLength(1);
	await open();
	expect(await listFiles()).toEqual([]);
	expect(await readdir(precious)).toEqual(["kept"]);
});

it("takes no more than the share of a workspace, and gives it back", async () => {
	const spool = await open();
	const first = await spool.create("ws_a");
	await first.startContent().write(new Uint8Array(90));
	const second = await spool.create("ws_a");
	const over = expect.objectContaining({ status: 429, code: "too_many_bytes" });
	expect(() => second.checkRoom(11)).toThrow(over);
	await expect(second.startContent().write(new Uint8Array(11))).rejects.toEqual(over);
	const other = await spool.create("ws_b");
	await other.startContent().write(new Uint8Array(60));
	await first.delete();
	await second.startContent().write(new Uint8Array(50));
});

it.skipIf(process.getuid?.() === 0)("says that the folder cannot be written", async () => {
	const spool = await open();
	await chmod(join(folder, "spool"), 0o500);
	await expect(spool.create("ws_a")).rejects.toMatchObject({ code: "storage_unavailable" });
});
