import { expect, it } from "vitest";
import { createFrameReader, toFrameHeader } from "./frames";

const toFrame = (text: string): Buffer =>
	Buffer.concat([toFrameHeader(Buffer.byteLength(text)), Buffer.from(text)]);

it("reads frames that are split at any byte, empty ones among them", () => {
	const texts = ["one", "", "", "three", "äöü"];
	const stream = Buffer.concat(texts.map(toFrame));
	for (let size = 1; size <= stream.length; size++) {
		const found: string[] = [];
		const reader = createFrameReader((payload) => found.push(payload.toString()));
		for (let start = 0; start < stream.length; start += size)
			reader.push(stream.subarray(start, start + size));
		expect(found).toEqual(texts);
	}
});

it("refuses a frame by its size before there is memory for it", () => {
	const reader = createFrameReader(
		() => undefined,
		(size) => {
			if (size > 10) throw new RangeError(`${size}`);
		},
	);
	expect(() => reader.push(toFrameHeader(0xffff_ffff))).toThrow("4294967295");
});
