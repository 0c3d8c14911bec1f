import type { PassageRepository } from "../../../knowledge/repositories/passage-repository";
import type { Database } from "../../database";
import type { PassageNumbers } from "./passage-numbers";

/** Passages of a workspace, in its tables. */
export const createPassageRepository = (
	{ writeJob }: Pick<Database<unknown>, "writeJob">,
	numbers: PassageNumbers,
): PassageRepository => ({
	reserve: numbers.reserve,
	store: (input) => writeJob("storePassages", input),
	sweep: () => writeJob("sweep", undefined),
});
