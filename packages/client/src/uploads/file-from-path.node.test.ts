import { readdirSync, readlinkSync } from "node:fs";
import { appendFile, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigurationError } from "../index";
import { fileFromPath } from "../node";

let folder: string;
let path: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-path-"));
	path = join(folder, "guide.md");
	await writeFile(path, "# Guide");
});
afterAll(() => rm(folder, { recursive: true }));

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<string> {
	const all: Uint8Array[] = [];
	for await (const chunk of chunks) all.push(chunk);
	return Buffer.concat(all).toString();
}

const isOpen = (file: string): boolean =>
	readdirSync("/proc/self/fd").some((fd) => {
		try {
			return readlinkSync(`/proc/self/fd/${fd}`) === file;
		} catch {
			return false;
		}
	});

describe("a file by its path", () => {
	it("has its name and size, and a source where one is wanted", async () => {
		const { file, ...rest } = await fileFromPath(path);
		expect([rest, file.size]).toEqual([{ name: "guide.md" }, 7]);
		expect(await fileFromPath(pathToFileURL(path), { source: true })).toMatchObject({
			name: "guide.md",
			source: path,
		});
		const named = await fileFromPath(path, { name: "other.md", source: "docs/other.md" });
		expect(named).toMatchObject({ name: "other.md", source: "docs/other.md" });
	});

	it("is read when it is sent, as often as it is sent", async () => {
		const { file } = await fileFromPath(path);
		await appendFile(path, ", more");
		for (const _ of [1, 2])
			expect(await readAll(file.open() as AsyncIterable<Uint8Array>)).toBe("# Guide, more");
	});

	it.each([
		["shrinks", 70_000, "from 200000 to 70000 bytes"],
		["grows", 300_000, "from 200000 to 300000 bytes"],
	])("fails when it %s while it is read", async (_, size, problem) => {
		const changing = join(folder, "changing.md");
		await writeFile(changing, Buffer.alloc(200_000));
		const { file } = await fileFromPath(changing);
		const read = async (): Promise<void> => {
			for await (const _ of file.open() as AsyncIterable<Uint8Array>) await truncate(changing, size);
		};
		await expect(read()).rejects.toMatchObject({
			code: "file_unreadable",
			message: expect.stringContaining(`${JSON.stringify(changing)} cannot be read: it changed ${problem}`),
			hint: expect.stringContaining("again"),
		});
	});

	it.runIf(process.platform === "linux")("may say that it has no size", async () => {
		const { file } = await fileFromPath("/proc/self/status");
		expect(await readAll(file.open() as AsyncIterable<Uint8Array>)).toMatch(/^Name:/);
	});

	it.runIf(process.platform === "linux")("is closed when reading stops", async () => {
		const { file } = await fileFromPath(path);
		const chunks = (file.open() as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
		expect(isOpen(path)).toBe(false);
		await chunks.next();
		expect(isOpen(path)).toBe(true);
		await chunks.return?.();
		expect(isOpen(path)).toBe(false);
	});
});

describe("a path that leads to no file", () => {
	it.each([
		["is missing", "none.md", "it does not exist"],
		["leads through a file", "guide.md/more.md", "it does not exist"],
		["is a folder", ".", "it is not a file"],
		["is too long", "n".repeat(300), "the system says ENAMETOOLONG"],
	])("because it %s is named", async (_, name, problem) => {
		const wrong = join(folder, name);
		const failed = await fileFromPath(wrong).catch((thrown: unknown) => thrown);
		expect(failed).toSatisfy(ConfigurationError.is);
		expect(failed).toMatchObject({ code: "file_unreadable", hint: expect.stringContaining("relative") });
		expect(String(failed)).toContain(`${JSON.stringify(wrong)} cannot be read: ${problem}.`);
	});

	it.each([[new URL("https://user:secret@host.example/guide.md")], [undefined], [42]])(
		"because it is none is refused: %s",
		async (path) => {
			const failed = await fileFromPath(path as URL).catch((thrown: unknown) => thrown);
			expect(failed).toSatisfy(ConfigurationError.is);
			expect(String(failed)).toMatch(/`path` must be/);
			expect(String(failed)).not.toContain("secret");
		},
	);

	it("because it has gone meanwhile is named, too", async () => {
		const missingFile = join(folder, "gone.md");
		await writeFile(missingFile, "A");
		const { file } = await fileFromPath(missingFile);
		await rm(missingFile);
		await expect(readAll(file.open() as AsyncIterable<Uint8Array>)).rejects.toThrow(
			JSON.stringify(missingFile),
		);
	});
});
