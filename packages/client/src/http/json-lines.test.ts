import { expect, it } from "vitest";
import type { OpenResponse } from "../client";
import { readJsonLines } from "./json-lines";

function toResponse(...chunks: readonly (Uint8Array | string)[]): OpenResponse & { isClosed: boolean } {
	const rest = [...chunks];
	return {
		...{ requestId: "req_1", status: 200, isJson: false, isClosed: false },
		header: () => "",
		json: () => Promise.reject(new Error("These are lines.")),
		read: async () => rest.shift(),
		close() {
			this.isClosed = true;
		},
	};
}

async function readAll(response: OpenResponse): Promise<readonly unknown[]> {
	const values: unknown[] = [];
	for await (const value of readJsonLines(response)) values.push(value);
	return values;
}

const VALUES = [{ text: "größer\n💥" }, 7, null];
const TEXT = VALUES.map((value) => `${JSON.stringify(value)}\n`).join("");

it("reads lines, wherever their bytes are split", async () => {
	const bytes = new TextEncoder().encode(TEXT);
	for (let split = 0; split <= bytes.length; split++) {
		const response = toResponse(bytes.subarray(0, split), bytes.subarray(split));
		expect(await readAll(response)).toEqual(VALUES);
		expect(response.isClosed).toBe(true);
	}
});

it("reads text, a last line without an end, and none", async () => {
	expect(await readAll(toResponse(TEXT.slice(0, -1)))).toEqual(VALUES);
	expect(await readAll(toResponse())).toEqual([]);
});

it("fails at a line that was cut, after those before it", async () => {
	const response = toResponse('{"a":1}\n{"a":');
	const values: unknown[] = [];
	const reading = async () => {
		for await (const value of readJsonLines(response)) values.push(value);
	};
	await expect(reading()).rejects.toMatchObject({ code: "invalid_response", requestId: "req_1" });
	expect([values, response.isClosed]).toEqual([[{ a: 1 }], true]);
});
