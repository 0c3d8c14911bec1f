import { DomainError } from "../errors/domain-error";

/** Lower-case letters, digits and single hyphens: never an id, which has an underscore. */
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

/** The first slug that is free of `handbook`, `handbook-2`, … */
async function findFreeSlug(
	base: string,
	listSlugs: (prefix: string) => Promise<readonly string[]>,
): Promise<string> {
	// A number may take the place of the last characters.
	const stem = base.slice(0, MAX_SLUG_CHARACTERS - 8).replace(/-$/, "");
	const taken = new Set(await listSlugs(stem));
	for (let number = 1; ; number++) {
		const slug = number === 1 ? base : `${stem}-${number}`;
		if (!taken.has(slug)) return slug;
	}
}

/** Number of slugs that are tried: each time, another instance has taken the one before. */
const SLUG_ATTEMPTS = 20;

/**
 * Stores something under the first slug that is free.
 *
 * @param store - throws DomainError `slug_taken` where another request has taken the slug meanwhile.
 */
export async function storeWithFreeSlug<Stored>(
	base: string,
	listSlugs: (prefix: string) => Promise<readonly string[]>,
	store: (slug: string) => Promise<Stored>,
): Promise<Stored> {
	for (let attempt = 1; ; attempt++)
		try {
			return await store(await findFreeSlug(base, listSlugs));
		} catch (error) {
			const isTaken = error instanceof DomainError && error.code === "slug_taken";
			if (!isTaken || attempt === SLUG_ATTEMPTS) throw error;
		}
}
