import { expect, test } from "vitest";
import { readAtMinimumRate } from "./minimum-rate";

/** A body whose sender stalls when `pieces` are out. */
function stall(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
	let next = 0;
	return new ReadableStream({
		pull(controller) {
			const piece = pieces[next];
			next += 1;
			if (piece !== undefined) controller.enqueue(piece);
			else return new Promise<void>(() => undefined);
		},
	});
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<number> {
	let size = 0;
	for await (const chunk of chunks) size += chunk.byteLength;
	return size;
}

test("ends the wait for a sender that stalls", async () => {
	const chunks = readAtMinimumRate(stall([new Uint8Array(5)]), { graceMs: 20, bytesPerSecond: 1000 });
	await expect(readAll(chunks)).rejects.toMatchObject({ code: "request_timeout" });
});

test("waits longer the more has come", async () => {
	const rate = { graceMs: 0, bytesPerSecond: 1_000_000 };
	const startedMs = performance.now();
	await expect(readAll(readAtMinimumRate(stall([new Uint8Array(200_000)]), rate))).rejects.toMatchObject({
		code: "request_timeout",
	});
	expect(performance.now() - startedMs).toBeGreaterThan(190);
});

test("does not count the time of the reader", async () => {
	const body = new Blob(["whole"]).stream();
	const sizes: number[] = [];
	for await (const chunk of readAtMinimumRate(body, { graceMs: 5_000, bytesPerSecond: 1 })) {
		await new Promise((resolve) => setTimeout(resolve, 30));
		sizes.push(chunk.byteLength);
	}
	expect(sizes).toEqual([5]);
});
