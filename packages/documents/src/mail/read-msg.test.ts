import { expect, it } from "vitest";
import { findFormat } from "../document-format";
import { parseDocument } from "../parse-document";
import { createMsg, type Folder } from "./test-support/create-msg";

const PROPERTIES = new Uint8Array(32);
const MESSAGE: Folder = {
	"__properties_version1.0": PROPERTIES,
	"__substg1.0_0037001F": "Parcels",
	"__substg1.0_0C1A001F": "Ada Lovelace",
	"__substg1.0_0C1F001F": "ada@example.com",
	"__substg1.0_1000001F": "Größe 2 goes back within 14 days.\r\n\r\n-----Original Message-----\r\nWhen?\r\n",
	"__recip_version1.0_#00000000": {
		"__properties_version1.0": PROPERTIES,
		"__substg1.0_3001001F": "Jörg",
		"__substg1.0_39FE001F": "joerg@example.com",
	},
	"__attach_version1.0_#00000000": {
		"__properties_version1.0": PROPERTIES,
		"__substg1.0_3707001F": "fees.md",
		"__substg1.0_37010102": Buffer.from("# Fees\n\nA parcel costs 4 €."),
	},
};

const parse = (bytes: Uint8Array, name = "a.msg") => {
	const format = findFormat(name);
	if (format === undefined) throw new Error(name);
	return parseDocument(bytes, format);
};

it("reads a message of Outlook, also under another name", async () => {
	for (const name of ["a.msg", "a.txt"])
		expect(await parse(createMsg(MESSAGE), name)).toMatchObject({
			title: "Parcels",
			text:
				"From: Ada Lovelace <ada@example.com>\nTo: Jörg <joerg@example.com>\nSubject: Parcels\nAttachments: fees.md\n\n" +
				"Größe 2 goes back within 14 days.\n\nEarlier messages\n\n-----Original Message-----\nWhen?\n\n" +
				"fees.md\n\nFees\n\nA parcel costs 4 €.",
		});
});

it("reads a message that is a part of larger memory, and nothing of what stands beside it", async () => {
	const other = createMsg({ ...MESSAGE, "__substg1.0_0037001F": "Of another" });
	const whole = createMsg(MESSAGE);
	const memory = Buffer.concat([other, whole]);
	expect(await parse(memory.subarray(other.length))).toMatchObject({ title: "Parcels" });
});

it("refuses a message that is cut off", async () => {
	const whole = createMsg(MESSAGE);
	for (const length of [8, 512, 700, 1_500])
		await expect(parse(whole.subarray(0, length))).rejects.toMatchObject({ code: "unreadable" });
});

it("refuses a message whose sectors or folders go in circles", async () => {
	const whole = createMsg(MESSAGE);
	const circle = (change: (view: DataView, fat: number, directory: number) => void): Uint8Array => {
		const bytes = whole.slice();
		const view = new DataView(bytes.buffer);
		const toOffset = (field: number): number => (view.getUint32(field, true) + 1) * 512;
		change(view, toOffset(76), toOffset(48));
		return bytes;
	};
	const circles = [
		circle((view, fat) => view.setUint32(fat + 4 * view.getUint32(48, true), view.getUint32(48, true), true)),
		circle((view, _, directory) => view.setUint32(directory + 76, 0, true)),
		circle((view, _, directory) => view.setUint32(directory + 128 + 72, 1, true)),
		circle((view, _, directory) => view.setUint32(directory + 128 + 120, 0x7fffffff, true)),
		circle((view) => view.setUint32(44, 0xfffffff, true)),
	];
	for (const bytes of circles) await expect(parse(bytes)).rejects.toMatchObject({ code: "unreadable" });
});
