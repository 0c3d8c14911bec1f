import { expect, it } from "vitest";
import { streamEvents } from "./stream-events";

async function readAll<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
	const all: Event[] = [];
	for await (const event of events) all.push(event);
	return all;
}

it("streams events as they are reported, in order, up to the end of the work", async () => {
	const gate = Promise.withResolvers<void>();
	const events = streamEvents<number>(async (emit) => {
		emit(1);
		emit(2);
		await gate.promise;
		emit(3);
	});
	expect([await events.next(), await events.next()]).toMatchObject([{ value: 1 }, { value: 2 }]);
	gate.resolve();
	expect(await readAll(events)).toEqual([3]);
});

it("throws what the work throws, behind its events", async () => {
	const seen: number[] = [];
	const read = async () => {
		for await (const event of streamEvents<number>(async (emit) => {
			emit(1);
			throw new Error("no");
		}))
			seen.push(event);
	};
	await expect(read()).rejects.toThrow("no");
	expect(seen).toEqual([1]);
});
