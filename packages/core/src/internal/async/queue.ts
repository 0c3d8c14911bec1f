/** Places that may stand empty before they are given back; fewer are not worth a copy of the rest. */
const MIN_EMPTY_PLACES = 64;

/**
 * A list that is added to at its end and taken from at its start. Both cost the same however long it is. The first entry
 * of a `Map` or a `Set` does not: all entries that were deleted before it are passed over, again at each look.
 */
export class Queue<Item> {
	#items: (Item | undefined)[] = [];
	/** Places at the start whose items were taken. */
	#empty = 0;

	get length(): number {
		return this.#items.length - this.#empty;
	}

	/** The item that `shift` takes next. */
	get first(): Item | undefined {
		return this.#items[this.#empty];
	}

	push(item: Item): void {
		this.#items.push(item);
	}

	shift(): Item | undefined {
		if (this.length === 0) return undefined;
		const item = this.first;
		this.#items[this.#empty] = undefined;
		this.#empty += 1;
		if (this.#empty >= MIN_EMPTY_PLACES && this.#empty * 2 >= this.#items.length) {
			this.#items = this.#items.slice(this.#empty);
			this.#empty = 0;
		}
		return item;
	}
}
