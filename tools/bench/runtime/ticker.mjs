const WARM_UP_EVENTS = 2;

/**
 * Where the events of streams come from: two at once for each, and from `start` on so many a second in all, each stream in
 * turn. A text tells its number in its stream and the moment that it was sent, which all processes of a machine measure alike.
 */
export function createTicker(eventsASecond) {
	const streams = [];
	let next = 0;

	function open(onText) {
		let count = 0;
		const send = () => {
			count += 1;
			onText(`@${count}:${process.hrtime.bigint() / 1000n} `);
		};
		for (let index = 0; index < WARM_UP_EVENTS; index++) send();
		streams.push(send);
	}

	return {
		/** Calls back with each text, from now on. */
		open,
		/** The same as an endless stream. */
		async *read() {
			const texts = [];
			let wake = () => undefined;
			open((text) => {
				texts.push(text);
				wake();
			});
			for (;;) {
				while (texts.length > 0) yield texts.shift();
				await new Promise((resolve) => {
					wake = resolve;
				});
			}
		},
		start() {
			const startedAt = performance.now();
			let sent = 0;
			setInterval(() => {
				const due = Math.floor(((performance.now() - startedAt) * eventsASecond) / 1000);
				for (; sent < due; sent++) {
					streams[next % streams.length]();
					next += 1;
				}
			}, 1);
		},
	};
}
