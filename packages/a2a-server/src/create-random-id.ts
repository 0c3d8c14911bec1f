import { clock, createId, randomBytes } from "@stemma/core/internal";

/** A prefixed id that nobody else has. It is no secret; see `randomBytes`. */
export const createRandomId = (prefix: string): string => createId(prefix, clock.now(), randomBytes(10));
