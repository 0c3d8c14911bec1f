import { rmSync, symlinkSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listFiles } from "./list-files";
import { readFolder } from "./read-folder";

let folder = "";
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "documents-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(path: string, content: string | Uint8Array): Promise<void> {
	await mkdir(dirname(join(folder, path)), { recursive: true });
	await writeFile(join(folder, path), content);
}

async function failure(promise: Promise<unknown>): Promise<ConfigurationError> {
	const error: unknown = await promise.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (!ConfigurationError.is(error)) throw new Error(`not a ConfigurationError: ${String(error)}`);
	return error;
}

describe("what is read", () => {
	it("reads all formats, in the order of their paths, the same every time", async () => {
		await write("b/two.html", "<h1>Two</h1><p>Second.</p>");
		await write("a.MD", "# One\n\nFirst.");
		await write("c.txt", "Third.");
		const content = await readFolder(folder);
		expect(content.documents.map(({ path, title }) => [path, title])).toEqual([
			["a.MD", "One"],
			["b/two.html", "Two"],
			["c.txt", "c.txt"],
		]);
		expect(content.passages.map(({ text }) => text)).toEqual(["First.", "Second.", "Third."]);
		expect(content.passages[0]?.document_id).toMatch(/^doc_[0-9a-f]{16}$/);
		expect(content.passages[0]?.passage_id).toMatch(/^psg_[0-9a-f]{16}$/);
		expect(await readFolder(folder)).toEqual(content);
	});

	it("leaves out what is hidden and node_modules, and counts what it does not read", async () => {
		for (const path of [".git/a.md", ".hidden.md", "node_modules/x/readme.md", "x.dwg", "y.DWG", "LICENSE"])
			await write(path, "text");
		await write("a.md", "text");
		const { documents, skipped } = await readFolder(folder);
		expect(documents.map(({ path }) => path)).toEqual(["a.md"]);
		expect(skipped).toEqual([
			{ kind: "format", extension: ".dwg", count: 2 },
			{ kind: "format", extension: "", count: 1 },
			{ kind: "hidden_file", extension: "", count: 1 },
			{ kind: "hidden_folder", extension: "", count: 1 },
			{ kind: "node_modules", extension: "", count: 1 },
		]);
	});

	it("leaves out lock files and minified files unless they are asked for", async () => {
		for (const path of ["package-lock.json", "web/pnpm-lock.yaml", "page.min.html", "lock.md", "min.json"])
			await write(path, "{}");
		const { paths, skipped } = await listFiles(folder);
		expect(paths).toEqual(["lock.md", "min.json"]);
		expect(skipped).toEqual([{ kind: "generated_file", extension: "", count: 3 }]);
		expect((await listFiles(folder, { includeGenerated: true })).paths).toHaveLength(5);
	});

	it.each(["deployment.sqlite", "first-credentials.json"])(
		"leaves out the data folder of a service, which %s shows, with the credentials in it",
		async (name) => {
			for (const path of ["a.md", "data/first-credentials.json", "data/service.json", `data/${name}`])
				await write(path, '{ "client_secret": "cs_1" }');
			const { documents, skipped } = await readFolder(folder);
			expect(documents.map(({ path }) => path)).toEqual(["a.md"]);
			expect(skipped).toEqual([{ kind: "data_folder", extension: "", count: 1 }]);
			const error = await failure(readFolder(join(folder, "data")));
			expect(error.message).toContain("1 data folder of a service");
		},
	);

	it("does not follow a link out to the folders around it", async () => {
		await write("inside/a.md", "# A\n\nInside.\n");
		await write("outside.md", "# B\n\nOutside.\n");
		await symlink(folder, join(folder, "inside/up"));
		const { documents } = await readFolder(join(folder, "inside"));
		expect(documents.map(({ path }) => path)).toEqual(["a.md"]);
	});

	it("follows links once and comes back from circles", async () => {
		await write("real/a.md", "text");
		await symlink(folder, join(folder, "real/up"));
		await symlink(join(folder, "real"), join(folder, "alias"));
		await symlink(join(folder, "real/a.md"), join(folder, "also.md"));
		const { documents, skipped } = await readFolder(folder);
		expect(documents.map(({ path }) => path)).toEqual(["real/a.md"]);
		expect(skipped).toEqual([{ kind: "link", extension: "", count: 3 }]);
	});

	it("reads what a link leads to outside of the folder only where that is asked for", async () => {
		await write("elsewhere/docs/a.md", "text");
		await write("elsewhere/secret.txt", "Not for others.");
		await write("here/own.md", "text");
		await symlink(join(folder, "elsewhere/docs"), join(folder, "here/docs"));
		await symlink("../elsewhere/secret.txt", join(folder, "here/notes.txt"));
		const { documents, skipped } = await readFolder(join(folder, "here"));
		expect(documents.map(({ path }) => path)).toEqual(["own.md"]);
		expect(skipped).toEqual([{ kind: "link_outside", extension: "", count: 2 }]);
		await symlink("../nowhere", join(folder, "here/unmounted"));
		expect((await listFiles(join(folder, "here"))).unfollowed).toEqual(["docs", "notes.txt", "unmounted"]);
		expect((await listFiles(join(folder, "here"), { followLinks: true })).unfollowed).toEqual(["unmounted"]);
		const all = await readFolder(join(folder, "here"), { followLinks: true });
		expect(all.documents.map(({ path }) => path)).toEqual(["docs/a.md", "notes.txt", "own.md"]);
	});

	it.each(["2.md", "sub"])(
		"reads nothing outside through %s that became a link after it was listed",
		async (name) => {
			await write("elsewhere/2.md", "Not for others.");
			await write("here/1.md", "text");
			await write(`here/${name === "sub" ? "sub/2.md" : name}`, "text");
			const target = join(folder, "here", name);
			let isSwapped = false;
			const { documents, unreadable } = await readFolder(join(folder, "here"), {
				skipUnreadable: true,
				onProgress: () => {
					if (isSwapped) return;
					isSwapped = true;
					rmSync(target, { recursive: true });
					symlinkSync(join(folder, name === "sub" ? "elsewhere" : "elsewhere/2.md"), target);
				},
			});
			expect(documents.map(({ path }) => path)).toEqual(["1.md"]);
			expect(unreadable).toEqual([
				{ path: expect.stringContaining("2.md"), reason: "a link on its path leads out of the folder" },
			]);
		},
	);

	it("tells how far it is", async () => {
		await write("a.md", "text");
		await write("b.md", "text");
		const seen: unknown[] = [];
		await readFolder(folder, { onProgress: (progress) => seen.push(progress) });
		expect(seen).toEqual([
			{ done: 1, total: 2, path: "a.md" },
			{ done: 2, total: 2, path: "b.md" },
		]);
	});

	it("stops when it is aborted", async () => {
		await write("a.md", "text");
		await write("b.md", "text");
		const abort = new AbortController();
		const reason = new Error("enough");
		const reading = readFolder(folder, { onProgress: () => abort.abort(reason), signal: abort.signal });
		await expect(reading).rejects.toBe(reason);
	});
});

describe("what cannot be read", () => {
	it("names every such file with its reason and what to do, in one error", async () => {
		await write("good.md", "text");
		await write("binary.txt", new Uint8Array([65, 0, 66]));
		await write("half.txt", new Uint8Array([0xff, 0xfe, 0x41]));
		await write("large.html", new Uint8Array(20 * 1024 * 1024 + 1).fill(65));
		await symlink(join(folder, "nowhere"), join(folder, "dangling.md"));
		await symlink(join(folder, "loop.md"), join(folder, "loop.md"));
		const { message, hint } = await failure(readFolder(folder));
		expect(message).toContain("5 documents cannot be read");
		expect(message).toContain("\n  binary.txt: it holds binary data");
		expect(message).toContain("\n  half.txt: its byte order mark says UTF-16LE");
		expect(message).toContain("\n  large.html: it is 20.0 MiB large, and at most 20 MiB are read");
		expect(message).toContain("\n  dangling.md: it does not exist, or is a link to something that does not");
		expect(message).toContain("\n  loop.md: it is a link that leads back to itself");
		expect(hint).toContain("--skip-unreadable");
	});

	it("goes on without it where that is asked for", async () => {
		await write("good.md", "text");
		await write("binary.txt", "\0");
		const { documents, unreadable } = await readFolder(folder, { skipUnreadable: true });
		expect(documents).toHaveLength(1);
		expect(unreadable).toEqual([{ path: "binary.txt", reason: expect.stringContaining("binary") }]);
	});

	it("names what holds no text, which is no error", async () => {
		await write("good.md", "text");
		await write("empty.md", "");
		await write("blank.txt", " \n\t\n");
		await write("bare.html", "<html><body><img src=x></body></html>");
		const { documents, emptyPaths } = await readFolder(folder);
		expect(documents.map(({ path }) => path)).toEqual(["good.md"]);
		expect(emptyPaths).toEqual(["bare.html", "blank.txt", "empty.md"]);
	});

	it("says so when nothing else is left", async () => {
		await write("binary.txt", "\0");
		const { message, hint } = await failure(readFolder(folder, { skipUnreadable: true }));
		expect(message).toContain("Nothing could be read");
		expect(hint).not.toContain("--skip-unreadable");
	});

	it("does not take a link to something unreadable that is no document for one", async () => {
		await write("good.md", "text");
		await symlink(join(folder, "nowhere"), join(folder, "socket"));
		await expect(readFolder(folder)).resolves.toMatchObject({ unreadable: [] });
	});

	it("survives hostile nesting", async () => {
		await write("deep.html", `${"<div>".repeat(60_000)}text`);
		await write("deep.md", `${">".repeat(3000)} text`);
		await write("good.md", "text");
		const { documents, unreadable } = await readFolder(folder, { skipUnreadable: true });
		expect(documents.length + unreadable.length).toBe(3);
	});
});

describe("folders that are none", () => {
	it("says that it does not exist", async () => {
		const { message } = await failure(readFolder(join(folder, "missing")));
		expect(message).toMatch(/missing" does not exist/);
	});

	it("says that it is a file", async () => {
		await write("a.md", "text");
		const { message, hint } = await failure(readFolder(join(folder, "a.md")));
		expect(message).toContain("is a file");
		expect(hint).toContain("folder that the file is in");
	});

	it("says what it found and what it could read", async () => {
		await write("a.dwg", "AC1032");
		const { message, hint } = await failure(readFolder(folder));
		expect(message).toContain("1 .dwg");
		expect(hint).toContain("Markdown (.md, .markdown)");
	});

	it("says that it is empty", async () => {
		expect((await failure(readFolder(folder))).message).toContain("it is empty");
	});
});
