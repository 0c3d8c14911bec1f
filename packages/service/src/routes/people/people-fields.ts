import * as z from "zod";
import { isEmail, MAX_EMAIL_CHARACTERS, normalizeEmail } from "../../people/email";
import { ROLES } from "../../people/roles";
import { MAX_NAME_CHARACTERS } from "../../validation/field-limits";

/** Field of an e-mail address, normalized. */
export const emailField = z
	.string()
	.max(MAX_EMAIL_CHARACTERS)
	.transform(normalizeEmail)
	.refine(isEmail, "must be an e-mail address such as ada@example.com");

/** Field of the id of a user. */
export const userIdField = z.string().regex(/^usr_[0-9a-z]{26}$/, "must be the id of a user: usr_…");

/** Field of a role. */
export const roleField = z.enum(ROLES);

/** Field of a member's name. Characters that nobody sees could make one name look like another. */
export const nameField = z
	.string()
	.trim()
	.min(1)
	.max(MAX_NAME_CHARACTERS)
	.regex(/^\P{C}+$/u, "must have no invisible characters");
