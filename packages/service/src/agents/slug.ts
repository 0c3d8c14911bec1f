/** Lower-case letters, digits and single hyphens. */
export const SLUG_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const MAX_SLUG_CHARACTERS = 64;

/** A slug made from a name; empty where the name has nothing to make one from. */
export function toSlug(name: string): string {
	return name
		.normalize("NFKD")
		.toLowerCase()
		.replace(/\p{M}+/gu, "")
		.replace(/[^a-z0-9]+/g, "-")
		.slice(0, MAX_SLUG_CHARACTERS)
		.replace(/^-|-$/g, "");
}
