import type { PassageRepository } from "../../../knowledge/repositories/passage-repository";
import type { Database } from "../../database";

/** Numbers of passages: one process writes a file, so it counts in memory. */
export interface PassageNumbers {
	/** Number of the next passage, once the uploads were recovered. */
	next: number;
}

/** Passages of a workspace, in its tables. */
export const createPassageRepository = (
	{ writeJob }: Pick<Database<unknown>, "writeJob">,
	numbers: PassageNumbers,
): PassageRepository => ({
	async reserve(count) {
		const first = numbers.next;
		numbers.next += count;
		return first;
	},
	store: (input) => writeJob("storePassages", input),
	sweep: () => writeJob("sweep", undefined),
});
