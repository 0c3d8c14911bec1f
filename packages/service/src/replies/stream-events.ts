/** Streams the events that some work reports, as they happen; ends with the work, and throws what it throws. */
export async function* streamEvents<Event>(
	work: (emit: (event: Event) => void) => Promise<void>,
): AsyncGenerator<Event> {
	const events: Event[] = [];
	let next = Promise.withResolvers<void>();
	let isDone = false;
	const done = work((event) => {
		events.push(event);
		next.resolve();
	}).finally(() => {
		isDone = true;
		next.resolve();
	});
	// Thrown below, or by nobody where the reader has left.
	done.catch(() => undefined);
	for (;;) {
		yield* events.splice(0);
		if (events.length > 0) continue;
		if (isDone) break;
		await next.promise;
		next = Promise.withResolvers();
	}
	await done;
}
