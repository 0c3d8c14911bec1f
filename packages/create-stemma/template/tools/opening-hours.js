const OPEN = { 1: [9, 18], 2: [9, 18], 3: [9, 18], 4: [9, 20], 5: [9, 20], 6: [10, 16] };

/** Finds out whether the shop is open at a time, and until when. */
export function findOpeningHours(time) {
	const [opens, closes] = OPEN[time.getDay()] ?? [0, 0];
	const isOpen = time.getHours() >= opens && time.getHours() < closes;
	return isOpen ? { open: true, until: `${closes}:00` } : { open: false };
}

/** Tools by the names that agents call them by. Arguments, where a tool has some, are `parameters` in JSON Schema. */
export const tools = {
	opening_hours: {
		description: "Says whether the shop is open now, and until when",
		idempotent: true,
		run: () => findOpeningHours(new Date()),
	},
};
