import { getRandomValues } from "node:crypto";
import { clock, createIdGenerator } from "@stemma/core/internal";

/** Creates a prefixed id, such as `cl_…`, that sorts after all that this process has created before. */
export const createId = createIdGenerator(clock.now, (count) => getRandomValues(new Uint8Array(count)));
