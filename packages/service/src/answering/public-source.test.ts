import { expect, it } from "vitest";
import { toPublicSource } from "./public-source";

it.each([
	["guide/a.md", "guide/a.md"],
	["/srv/private/a.md", "a.md"],
	["C:\\private\\a.md", "a.md"],
	["\\\\server\\share\\a.md", "a.md"],
	["file:///srv/a.md", "a.md"],
	["https://docs.example/a?page=2", "https://docs.example/a?page=2"],
	["https://user:secret@docs.example/a", "https://docs.example/a"],
	["https://bucket.example/a?X-Amz-Signature=abc&x=1", "https://bucket.example/a"],
	["Handbook, 3rd edition", "Handbook, 3rd edition"],
])("shows %s as %s", (source, shown) => {
	expect(toPublicSource(source)).toBe(shown);
});
