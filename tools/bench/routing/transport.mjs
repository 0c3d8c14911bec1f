// Stands in for the network: every client is given the same bytes, in the same pieces, from memory.

/** The bytes in pieces of one size; the last may be shorter. */
export function cut(bytes, size) {
	const whole = new Uint8Array(bytes);
	const count = Math.ceil(whole.length / size);
	return Array.from({ length: count }, (_, index) => whole.subarray(index * size, (index + 1) * size));
}

/** A body that gives a piece whenever it is asked for one. */
export function openBody(pieces) {
	let next = 0;
	return new ReadableStream(
		{
			pull(controller) {
				if (next < pieces.length) controller.enqueue(pieces[next++]);
				else controller.close();
			},
		},
		{ highWaterMark: 0 },
	);
}

export const createFetch = (contentType, pieces) => async () =>
	new Response(openBody(pieces), { status: 200, headers: { "content-type": contentType } });

/** What the transport takes by itself: all pieces are read, and nothing is made of them. */
export function prepareTransport(pieces) {
	const read = async () => {
		const reader = openBody(pieces).getReader();
		while (!(await reader.read()).done);
	};
	return Object.assign(read, { isTransport: true });
}
