import { describe, expect, it } from "vitest";
import { createZip } from "../test-support/create-zip";
import { UnreadableError } from "../unreadable-error";
import { openZip } from "./open-zip";

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

/** Code and message with which a container, or the file `a` in it, is refused. */
async function refusal(bytes: Uint8Array, limits = {}): Promise<string> {
	try {
		await (await openZip(bytes, limits)).find("a");
	} catch (error) {
		if (error instanceof UnreadableError) return `${error.code}: ${error.message}`;
		throw error;
	}
	return "";
}

describe("openZip", () => {
	it("reads the files that are asked for, by name in either case", async () => {
		const zip = await openZip(
			createZip({ "word/document.xml": "<a/>", "Ä/日.txt": "x".repeat(1e5), empty: "" }),
		);
		expect(zip.names).toEqual(["word/document.xml", "Ä/日.txt", "empty"]);
		expect(text(await zip.get("Word/Document.xml"))).toBe("<a/>");
		expect(text(await zip.find("Ä/日.txt"))).toBe("x".repeat(1e5));
		expect(text(await zip.find("empty"))).toBe("");
		expect(await zip.find("other")).toBeUndefined();
		await expect(zip.get("other")).rejects.toThrow("its part other is missing");
	});

	it("reads a view of a larger buffer, and stored files", async () => {
		const bytes = Buffer.concat([Buffer.alloc(7, 1), createZip([{ name: "a", content: "A", method: 0 }])]);
		expect(text(await (await openZip(bytes.subarray(7))).find("a"))).toBe("A");
	});

	it("reads a container that is followed by zeros", async () => {
		const bytes = Buffer.concat([createZip({ a: "A" }), Buffer.alloc(300)]);
		expect(text(await (await openZip(bytes)).find("a"))).toBe("A");
	});

	it("makes labels of names: no folders, nothing that climbs, nothing absolute", async () => {
		const zip = await openZip(
			createZip({ "../up": "1", "a/../../up": "2", "/root": "3", "b\\c": "4", "folder/": "" }),
		);
		expect(zip.names).toEqual(["root", "b/c"]);
	});

	it("says that an encrypted file has a password", async () => {
		const compound = Buffer.from("d0cf11e0a1b11ae1", "hex");
		const encrypted = Buffer.concat([
			compound,
			Buffer.alloc(512),
			Buffer.from("EncryptedPackage", "utf16le"),
		]);
		expect(await refusal(encrypted)).toMatch(/^password_protected: /);
		expect(await refusal(createZip([{ name: "a", content: "A", flags: 1 }]))).toMatch(
			/^password_protected: /,
		);
		expect(await refusal(compound)).toMatch(/^unreadable: .*Office 97/);
	});

	it.each([
		["nothing", Buffer.alloc(0)],
		["text", Buffer.from("This is text and no container.")],
		["half of a container", createZip({ a: "A".repeat(100) }).subarray(0, 60)],
		["a wrong checksum", createZip([{ name: "a", content: "A", checksum: 1 }])],
		["less than declared", createZip([{ name: "a", content: "A", declaredSize: 2 }])],
		["more than declared", createZip([{ name: "a", content: "A".repeat(1e6), declaredSize: 10 }])],
		["more than declared, stored", createZip([{ name: "a", content: "AAA", declaredSize: 1, method: 0 }])],
		["an unknown method", createZip([{ name: "a", content: "A", method: 99 }])],
		["an offset outside", createZip([{ name: "a", content: "A", offset: 1e9 }])],
		[
			"two files in one place",
			createZip([
				{ name: "a", content: "A" },
				{ name: "b", content: "A", offset: 0 },
			]),
		],
	])("refuses %s", async (_, bytes) => {
		expect(await refusal(bytes)).toMatch(/^unreadable: .*(container|compressed)/);
	});

	it("refuses archive bombs before they are unpacked", async () => {
		const zeros = createZip({ a: new Uint8Array(64 * 1024 * 1024) });
		expect(zeros.length).toBeLessThan(100_000);
		expect(await refusal(zeros)).toMatch(/^too_complex: .*archive bomb/);
		expect(await refusal(createZip([{ name: "a", content: "A", declaredSize: 2 ** 31 }]))).toMatch(
			/^too_complex/,
		);
		expect(await refusal(createZip([{ name: "a", content: "A", declaredSize: 0xffffffff }]))).toMatch(
			/^unr|^too/,
		);
	});

	it("holds its limits", async () => {
		const bytes = createZip({ a: "A".repeat(50), b: "B".repeat(50) });
		expect(await refusal(bytes, { maxEntries: 1 })).toMatch(/^too_complex: .*1 files/);
		expect(await refusal(bytes, { maxEntryBytes: 49 })).toMatch(/^too_complex: /);
		const zip = await openZip(bytes, { maxTotalBytes: 99 });
		await zip.find("a");
		await expect(zip.find("b")).rejects.toMatchObject({ code: "too_complex" });
	});

	it("has a code for every damaged byte", async () => {
		const whole = createZip({ a: "Text of a file. ".repeat(20), "b/c": "more" });
		for (let index = 0; index < whole.length; index++) {
			const bytes = Buffer.from(whole);
			bytes[index] = (bytes[index] ?? 0) ^ 0xff;
			await refusal(bytes);
		}
	});
});
