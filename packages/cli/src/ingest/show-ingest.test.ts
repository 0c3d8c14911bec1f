import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { reportMissing } from "./show-ingest";

it("takes controls out of names and reasons", () => {
	const stderr = Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY: false });
	reportMissing(
		{ stderr: stderr as unknown as NodeJS.WriteStream },
		{
			skipped: [{ source: "b\u001B]0;x\u0007.md", reason: "It is binary." }],
			empty: ["c\u001B]0;x\u0007.md"],
			kept: [],
			behindLinks: [{ link: "d\u001B]0;x\u0007", documents: 2 }],
			failed: [{ source: "a\u001B]0;x\u0007.md", reason: "It has\r \u009B31m no text." }],
		},
	);
	const shown: string = stderr.read();
	expect(shown).toContain("skipped: b]0;x.md: It is binary.\n");
	expect(shown).toContain("note: c]0;x.md holds no text.\n");
	expect(shown).toContain(
		"note: d]0;x is a symbolic link that was not followed. 2 stored documents from there stay; --follow-links",
	);
	expect(shown).toContain("a]0;x.md: It has 31m no text.\n");
	for (const control of ["\u001B[2J", "\u001B]", "\u0007", "\r", "\u009B"])
		expect(shown).not.toContain(control);
});
