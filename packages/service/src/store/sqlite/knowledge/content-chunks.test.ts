import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { openForWriting } from "../../sqlite-file";
import { workspaceMigrations } from "../../workspace-tables";
import { insertOriginal, readContent } from "./content-chunks";

it.each([
	["a text", Buffer.from("The harbour opens at nine. ".repeat(20_000)), true],
	["an archive", randomBytes(300_000), false],
	["an archive that begins with text", Buffer.concat([Buffer.alloc(9_000, "a"), randomBytes(90_000)]), false],
	["a short text", Buffer.from("Hello"), false],
	["an empty file", Buffer.alloc(0), false],
])("keeps %s to the byte, compressed only where that helps", (_, bytes, isSmaller) => {
	const file = openForWriting(":memory:", workspaceMigrations);
	const content = insertOriginal(file, bytes, "sha");
	const stored = file.prepare<{ readonly size: number }>(
		"SELECT coalesce(sum(length(bytes)), 0) AS size FROM content_chunks",
	);
	expect(readContent(file, content, bytes.byteLength)).toEqual(new Uint8Array(bytes));
	const size = stored.get()?.size ?? -1;
	expect(isSmaller ? size < bytes.byteLength / 2 : size === bytes.byteLength).toBe(true);
	file.close();
});
