import { ENGLISH_STOP_WORDS } from "@stemma/core/internal";

/** English words that say nothing about what a question is about. */
export const STOP_WORDS: ReadonlySet<string> = new Set(ENGLISH_STOP_WORDS.split(" "));
