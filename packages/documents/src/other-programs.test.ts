import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DocumentError } from "./document-error";
import { readDocument } from "./read-document";

const folder = new URL("test-support/other-programs/", import.meta.url);

/** Text of each file by the variant in its name, or the code with which it is refused. */
const EXPECTED: readonly (readonly [variant: RegExp, ...outcome: string[]])[] = [
	[/-merged|-epub2/, "signal harbour 455"],
	[/-cjk|-epub3/, "会社の規則はここに書かれています。", "lantern falcon 159"],
	[/-title/, "otter thunder 48"],
	[/-japanese/, "会社 | 金額", "violet willow 307"],
	[/-rtl/, "تجتمع اللجنة كل شهر", "copper meadow 196", "הוועדה נפגשת בכל חודש"],
	[/-user/, "password_protected"],
	[/-scan/, "needs_ocr"],
	[/\.(doc|xls|ppt)$/, "unreadable"],
	[/^qpdf|^ghostscript/, "amber stone 11"],
];

async function readFile(name: string): Promise<string> {
	const bytes = new Uint8Array(readFileSync(new URL(name, folder)));
	try {
		const { passages } = await readDocument({ bytes, format: "text", fileName: name, source: null });
		return passages.map(({ text }) => text.replace(/\s+/g, " ")).join("\n");
	} catch (error) {
		if (error instanceof DocumentError) return error.error.code;
		throw error;
	}
}

test.each(readdirSync(folder).filter((name) => name !== "README.md"))("%s is read", async (name) => {
	const [, ...outcome] = EXPECTED.find(([variant]) => variant.test(name)) ?? [];
	expect(outcome).not.toEqual([]);
	const read = await readFile(name);
	for (const part of outcome) expect(read).toContain(part);
});
