import { measure } from "../engine/measure.mjs";
import { cut } from "./transport.mjs";

/**
 * Measures all clients with all answers in pieces of all sizes, in turn.
 *
 * @param format - `write`, which makes the bytes of an answer of some deltas, and by name what prepares each client.
 * @param answers - lists of deltas.
 * @returns a result for each client, answer and size, with the microseconds a delta.
 */
export async function measureStreams({ write, clients }, answers, sizes, options) {
	const cases = answers.flatMap((deltas) => {
		const bytes = write(deltas);
		return sizes.flatMap((size) => {
			const pieces = cut(bytes, size);
			return Object.entries(clients).map(([client, prepare]) => ({
				client,
				deltas,
				size,
				length: bytes.length,
				...toCase(prepare(pieces), deltas),
			}));
		});
	});
	const timings = await measure(cases, options);
	return cases.map((measured, index) => ({ ...measured, timing: timings[index] }));
}

/** A run reads the whole answer, and every delta of it must have come. */
function toCase(read, deltas) {
	const expected = deltas.join("");
	return {
		steps: deltas.length,
		async run() {
			let count = 0;
			let text = "";
			await read((delta) => {
				count += 1;
				text += delta;
			});
			if (read.isTransport) return;
			if (count !== deltas.length) throw new Error(`${count} deltas, not ${deltas.length}.`);
			if (text !== expected) throw new Error("The text is not what was sent.");
		},
	};
}
