import { expect, it } from "vitest";
import { compareManifest, REPLACED_FILE_ID } from "./compare-manifest";
import { readDirectoryId, readFileId, toFileId } from "./pushed-file";

const SOURCE = "src_00000000000000000000000001";
const toFile = (key: string, hash: string) => ({ id: toFileId(SOURCE, key), key, hash });
const listed = (path: string, filename: string, checksum: string) => ({ path, filename, checksum });

it("tells what is new, changed, gone and as it was", () => {
	const files = [toFile("a.md", "1"), toFile("docs/b.md", "1"), toFile("docs/api/c.md", "1")];
	const manifest = [listed("", "a.md", "1"), listed("docs", "b.md", "2"), listed("docs/new", "c.md", "1")];
	expect(compareManifest(manifest, files)).toEqual({
		added: [{ path: "docs/new", filename: "c.md" }],
		modified: [{ path: "docs", filename: "b.md", stale_file_id: REPLACED_FILE_ID }],
		deleted: [{ path: "docs/api", filename: "c.md", file_id: toFileId(SOURCE, "docs/api/c.md") }],
		...{ mkdir: [], rmdir: [], unmodified_count: 1 },
		directory_map: { docs: expect.any(String), "docs/new": expect.any(String) },
	});
	expect(readFileId(REPLACED_FILE_ID)).toBeUndefined();
});

it("names folders and files by ids that can be read again", () => {
	const path = "größe/v 1.0/💥";
	const { directory_map } = compareManifest([listed(path, "ä.md", "1")], []);
	expect(Object.keys(directory_map)).toEqual(["größe", "größe/v 1.0", path]);
	expect(readDirectoryId(directory_map[path] ?? "")).toBe(path);
	expect(readFileId(toFileId(SOURCE, `${path}/ä.md`))).toEqual({ source: SOURCE, key: `${path}/ä.md` });
	for (const id of ["", "dir_", "dir_a.b", "nothing"]) expect(readDirectoryId(id)).toBeUndefined();
	for (const id of ["", SOURCE, `${SOURCE}.`, "src_1.YQ", `${SOURCE}.a/b`])
		expect(readFileId(id)).toBeUndefined();
});

it("compares names as they arrive in a form: without folders, with quotation marks", () => {
	const files = [toFile('docs/say "b".md', "1"), toFile("c.md", "1")];
	const manifest = [listed("docs", 'a/say "b".md', "1"), listed("", "c\n.md", "1")];
	expect(compareManifest(manifest, files)).toMatchObject({ added: [], deleted: [], unmodified_count: 2 });
	expect(compareManifest([listed("docs", "say %22b%22.md", "1")], files)).toMatchObject({ added: [] });
});
