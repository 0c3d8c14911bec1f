/** A value that many write at once, some of them in vain; tells what may be read of it. */
export interface Register<Value> {
	/** To be called before a write is sent. */
	write(value: Value): Write;
	/** To be called before a read is sent; afterwards tells what it may have found. */
	read(): () => readonly Value[];
	/** Nobody writes any more, and this is what was found: it stays until the next write. */
	settle(value: Value): void;
}

export interface Write {
	/** The answer is there. */
	acknowledge(): void;
	/** The answer says that nothing was written. */
	withdraw(): void;
}

interface Entry<Value> {
	readonly value: Value;
	readonly start: number;
	/** Infinite while nobody knows whether, and when, it was done. */
	end: number;
}

export function createRegister<Value>(first: Value): Register<Value> {
	let now = 0;
	const tick = (): number => ++now;
	let entries: Entry<Value>[] = [{ value: first, start: 0, end: 0 }];

	/** What was written before the read was over, unless something else was written between the two. */
	const isReadable = ({ start, end }: Entry<Value>, from: number, to: number): boolean =>
		start < to && !entries.some((later) => later.start > end && later.end < from);

	return {
		write(value) {
			const entry = { value, start: tick(), end: Number.POSITIVE_INFINITY };
			entries.push(entry);
			return {
				acknowledge() {
					entry.end = tick();
				},
				withdraw() {
					entries = entries.filter((other) => other !== entry);
				},
			};
		},
		read() {
			const from = tick();
			return () => {
				const to = tick();
				return entries.filter((entry) => isReadable(entry, from, to)).map(({ value }) => value);
			};
		},
		settle(value) {
			const time = tick();
			entries = [{ value, start: time, end: time }];
		},
	};
}
