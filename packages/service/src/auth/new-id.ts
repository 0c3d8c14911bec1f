import { getRandomValues } from "node:crypto";
import { clock, createIds } from "@stemma/core/internal";

/** Creates a prefixed id, such as `cl_…`, that sorts after all that this process has created before. */
export const createNewId = createIds(clock.now, (count) => getRandomValues(new Uint8Array(count)));
