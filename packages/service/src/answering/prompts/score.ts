import { SCORE_INSTRUCTIONS } from "@stemma/routing/rerankers";
import type { Prompt } from "./prompt";

/** Instructions for scores of passages. Their text is beside the schema and the reader of the reply, in `routing`. */
export const SCORE_PROMPT: Prompt = { name: "score", version: 1, text: SCORE_INSTRUCTIONS };
