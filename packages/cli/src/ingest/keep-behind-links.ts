import type { IngestPlan } from "./plan-ingest";

/** Documents that came through a symbolic link which was not followed now. */
export interface DocumentsBehindLink {
	/** Path of the link within the folder. */
	readonly link: string;
	readonly documents: number;
}

/** True for a source in one of these folders. An empty path is the folder of all. */
export const isBelow = (source: string, folders: readonly string[]): boolean =>
	folders.some((folder) => folder === "" || source.startsWith(`${folder}/`));

/**
 * Takes documents out of the removals of a plan that came through links which were not followed: nobody has looked
 * whether they are gone.
 *
 * @param links - paths of these links.
 */
export function keepBehindLinks(
	plan: IngestPlan,
	links: readonly string[],
): { readonly plan: IngestPlan; readonly behindLinks: readonly DocumentsBehindLink[] } {
	const counts = new Map<string, number>();
	const removals = plan.removals.filter(({ source }) => {
		const link = links.find((path) => source === path || isBelow(source ?? "", [path]));
		if (link !== undefined) counts.set(link, (counts.get(link) ?? 0) + 1);
		return link === undefined;
	});
	return {
		plan: { ...plan, removals },
		behindLinks: [...counts].map(([link, documents]) => ({ link, documents })),
	};
}
