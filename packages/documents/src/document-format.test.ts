import { expect, it } from "vitest";
import { findFormat } from "./document-format";

it.each([
	["a.md", undefined, "markdown"],
	["a.MDX", "text/plain", "markdown"],
	["notes.org", undefined, "text"],
	["page.htm", undefined, "html"],
	["README", "text/markdown; charset=utf-8", "markdown"],
	["page", "Text/HTML", "html"],
	["a.pdf", undefined, "pdf"],
	["report", "application/pdf", "pdf"],
	["a.dwg", "image/vnd.dwg", undefined],
	["constructor", undefined, undefined],
	["a.constructor", "constructor", undefined],
	["", undefined, undefined],
])("reads %s (%s) as %s", (fileName, mediaType, format) => {
	expect(findFormat(fileName, mediaType)?.apiName).toBe(format);
});
