import * as z from "zod";

const MAX_NOTE_CHARACTERS = 500;

/** Reason for a version of an agent. */
export const noteField = z.string().trim().min(1).max(MAX_NOTE_CHARACTERS).optional();
