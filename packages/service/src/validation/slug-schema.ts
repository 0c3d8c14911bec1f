import * as z from "zod";
import { MAX_SLUG_CHARACTERS, SLUG_PATTERN } from "./slug";

/** Field of a request that chooses a slug. Apart from the slugs themselves, which database threads make without Zod. */
export const slugSchema = z
	.string()
	.max(MAX_SLUG_CHARACTERS)
	.regex(SLUG_PATTERN, "must be lower-case letters and digits, with single hyphens between them");
