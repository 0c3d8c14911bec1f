/** Lower-case letters, digits and single hyphens. */
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const SLUG_LENGTH = 64;

/** A slug made from a name; empty where the name has nothing to make one from. */
export function toSlug(name: string): string {
	return name
		.normalize("NFKD")
		.toLowerCase()
		.replace(/\p{M}+/gu, "")
		.replace(/[^a-z0-9]+/g, "-")
		.slice(0, SLUG_LENGTH)
		.replace(/^-|-$/g, "");
}
