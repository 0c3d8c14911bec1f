import { getRandomValues } from "node:crypto";
import { createId } from "@stemma/core/internal";

/** A prefixed id that sorts by time, such as `cl_…`. */
export const createNewId = (prefix: string): string =>
	createId(prefix, Date.now(), getRandomValues(new Uint8Array(10)));
