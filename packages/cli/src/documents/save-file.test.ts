import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DocumentFile } from "@stemma/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { saveFile } from "./save-file";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-save-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function toFile(
	name: string,
	read = async function* () {
		yield new TextEncoder().encode("new");
	},
): DocumentFile {
	const bytes = async () => new Uint8Array();
	const about = { requestId: "req_1", type: "text/plain", size: 3, sha256: "" };
	return { ...about, name, bytes, close: () => undefined, [Symbol.asyncIterator]: read };
}

describe("saveFile", () => {
	it.each([
		["../../evil.sh", "evil.sh"],
		["C:\\evil.sh", "evil.sh"],
		["..", "document"],
		["", "document"],
	])("keeps a file that is named %o in the folder", async (name, saved) => {
		expect(await saveFile(toFile(name), folder, { canReplace: false })).toBe(join(folder, saved));
		expect(await readdir(folder)).toEqual([saved]);
	});

	it("replaces a link, not what it leads to", async () => {
		await writeFile(join(folder, "target"), "old");
		await symlink(join(folder, "target"), join(folder, "link"));
		const save = (canReplace: boolean) => saveFile(toFile("a"), join(folder, "link"), { canReplace });
		await expect(save(false)).rejects.toMatchObject({ code: "file_exists" });
		await save(true);
		expect(await readFile(join(folder, "target"), "utf8")).toBe("old");
		expect(await readFile(join(folder, "link"), "utf8")).toBe("new");
	});

	it("leaves nothing behind of a file that breaks off", async () => {
		const file = toFile("a", async function* () {
			yield new TextEncoder().encode("half");
			throw new Error("It broke off.");
		});
		await expect(saveFile(file, folder, { canReplace: false })).rejects.toThrow("It broke off.");
		expect(await readdir(folder)).toEqual([]);
	});
});
