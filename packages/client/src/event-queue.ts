/** So much wire text waits to be read, about a megabyte; and one event in any case. */
const MOST_LENGTH = 2 ** 20;
/** What an event costs besides its text. */
const OVERHEAD = 100;

/** Events that were pushed and not yet read; one reader. */
export interface EventQueue<Event> {
	/** Enough is waiting: what is pushed nevertheless is kept. */
	readonly isFull: boolean;
	push(event: Event, length: number): void;
	/** Reading ends, or fails with an error, after what was pushed before. */
	end(failure?: { readonly error: unknown }): void;
	/** Throws away what was pushed and what will be; reading ends. */
	close(): void;
	/** Waits until the reader has taken something, or `wake` is called. */
	untilChange(): Promise<void>;
	wake(): void;
	next(): Promise<IteratorResult<Event, undefined>>;
}

interface Link<Event> {
	readonly event?: Event;
	readonly cost: number;
	next?: Link<Event>;
}

/** @param onEmpty - is called whenever the reader has to wait. */
export function createEventQueue<Event>(onEmpty?: () => void): EventQueue<Event> {
	let head: Link<Event> = { cost: 0 };
	let tail = head;
	let cost = 0;
	let ended: { readonly error?: unknown } | undefined;
	let sleepers: (() => void)[] = [];

	function wake(): void {
		if (sleepers.length === 0) return;
		const woken = sleepers;
		sleepers = [];
		for (const wakeOne of woken) wakeOne();
	}

	const untilChange = (): Promise<void> => new Promise((resolve) => sleepers.push(resolve));

	function end(failure: { readonly error?: unknown } = {}): void {
		ended ??= failure;
		wake();
	}

	return {
		get isFull() {
			return cost >= MOST_LENGTH;
		},
		push(event, length) {
			if (ended !== undefined) return;
			tail = tail.next = { event, cost: length + OVERHEAD };
			cost += tail.cost;
			wake();
		},
		end,
		close() {
			head = tail;
			delete head.next;
			cost = 0;
			ended = {};
			wake();
		},
		untilChange,
		wake,
		async next() {
			while (head.next === undefined && ended === undefined) {
				onEmpty?.();
				await untilChange();
			}
			if (head.next !== undefined) {
				head = head.next;
				cost -= head.cost;
				wake();
				return { done: false, value: head.event as Event };
			}
			if (ended !== undefined && "error" in ended) throw ended.error;
			return { done: true, value: undefined };
		},
	};
}

/** Reading by `for await`; leaving the loop calls `leave`. */
export const toIterator = <Event>(
	{ next }: EventQueue<Event>,
	leave: () => void,
): AsyncIterator<Event, undefined> => ({
	next,
	async return() {
		leave();
		return { done: true, value: undefined };
	},
});
