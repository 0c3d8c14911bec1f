const OPEN = { 1: [9, 18], 2: [9, 18], 3: [9, 18], 4: [9, 20], 5: [9, 20], 6: [10, 16] };

/** Checks whether the shop is open, and until when. */
export function findOpeningHours(time) {
	const [opens, closes] = OPEN[time.getDay()] ?? [0, 0];
	const isOpen = time.getHours() >= opens && time.getHours() < closes;
	return isOpen ? { open: true, until: `${closes}:00` } : { open: false };
}

/** Tools by the names that the agents call them by. Their arguments are described by JSON Schema. */
export const tools = {
	opening_hours: {
		description: "Says whether the shop is open at a time (default: now)",
		parameters: {
			type: "object",
			properties: { time: { type: "string", description: "Local time, such as 2026-12-24T15:00" } },
		},
		idempotent: true,
		run: ({ time }) => findOpeningHours(time === undefined ? new Date() : new Date(time)),
	},
};
