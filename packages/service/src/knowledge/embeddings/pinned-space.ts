import { trimEndOf } from "@stemma/core/internal";
import type { EmbeddingSpace } from "@stemma/routing";

/** The space of a knowledge base's vectors, since the first of them was stored. */
export interface PinnedSpace extends EmbeddingSpace {
	/** Length of each vector; `dimensions` is there only where it was configured. */
	readonly length: number;
}

/** `undefined`: nothing is indexed yet; `null`: indexed without vectors, and so it goes on. */
export type EmbeddingPin = PinnedSpace | null | undefined;

/** Checks whether new vectors of a space can be compared with the stored ones. */
export const isPinnedTo = (pinned: PinnedSpace, space: EmbeddingSpace): boolean =>
	pinned.model === space.model &&
	trim(pinned.base_url) === trim(space.base_url) &&
	// Naming the length that the model has by itself changes nothing.
	(pinned.dimensions === space.dimensions || pinned.length === space.dimensions);

const trim = (baseUrl: string): string => trimEndOf(baseUrl, "/");
