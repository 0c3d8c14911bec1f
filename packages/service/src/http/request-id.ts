import { readRequestId } from "@stemma/protocol";
import { createId } from "../create-id";

/** The caller's own id where it is plain, else a new one. */
export const resolveRequestId = (header?: string): string => readRequestId(header, () => createId("req"));
